import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { SystemClock } from '@isotherm/runtime'
import { withExceptionTable } from './exception-table.js'
import { findOracle } from './oracle/find-oracle.js'
import { describeDifference, exceptionLines, summary } from './run/report.js'
import { run } from './run/run.js'
import { withRun } from './run-table.js'

const DOCUMENT = new URL('../../../docs/differential.md', import.meta.url)
const MAX_OPERATIONS = 10_000_000

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    operations: { type: 'string', default: '20000' },
    show: { type: 'string', default: '20' },
    document: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
})

if (flags.document) {
  writeFileSync(DOCUMENT, withExceptionTable(readFileSync(DOCUMENT, 'utf8')))
} else {
  process.exitCode = await compareAndPrint()
}

/** @returns the exit code: 0 when every difference is explained. */
async function compareAndPrint(): Promise<number> {
  const oracle = findOracle()
  if (!oracle.found) {
    console.error(oracle.why)
    return 1
  }
  const seed = wholeNumber('seed', flags.seed)
  const findings = await run(oracle.folder, seed, wholeNumber('operations', flags.operations))
  for (const difference of findings.unexplained.slice(0, wholeNumber('show', flags.show))) {
    console.log(`${describeDifference(difference)}\n`)
  }
  for (const line of exceptionLines(findings)) console.log(line)
  for (const name of findings.waiting) console.log(`  not compared, since one side does not know it: ${name}`)
  console.log(`${summary(findings)} (seed ${seed})`)
  if (flags.record) {
    const date = new Date(new SystemClock().now()).toISOString().slice(0, 10)
    writeFileSync(DOCUMENT, withRun(readFileSync(DOCUMENT, 'utf8'), { seed, date, findings }))
  }
  return findings.unexplained.length === 0 ? 0 : 1
}

function wholeNumber(flag: string, text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 0 && number <= MAX_OPERATIONS) return number
  throw new Error(`--${flag} is ${text}; it must be a whole number from 0 to ${MAX_OPERATIONS}.`)
}
