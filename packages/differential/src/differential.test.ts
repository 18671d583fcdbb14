import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { withExceptionTable } from './exception-table.js'
import { JUDGEMENTS } from './judgement/judge.js'
import { findOracle } from './oracle/find-oracle.js'
import { describeDifference, exceptionLines, summary } from './run/report.js'
import { run } from './run/run.js'

const OPERATIONS = 2500
const TIMEOUT_MILLISECONDS = 180_000
const oracle = findOracle()
/** Set where every change is checked: a missing Java fails there. */
const mustRun = process.env.ISOTHERM_SKIP_NOTHING === 'true'

if (!oracle.found && !mustRun) console.log(`Nothing is compared with DynamoDB Local. ${oracle.why}`)

describe.skipIf(!oracle.found && !mustRun)('the engine, asked the same as DynamoDB Local', () => {
  it.each([101, 102])(
    'answers the same, or differs for a reason that has a name: seed %i',
    async (seed) => {
      if (!oracle.found) throw new Error(oracle.why)
      const findings = await run(oracle.folder, seed, OPERATIONS)
      console.log([...exceptionLines(findings), `${summary(findings)} (seed ${seed})`].join('\n'))
      expect(findings.unexplained.map(describeDifference)).toEqual([])
      expect(findings.compared).toBe(OPERATIONS)
      expect(findings.waiting).toEqual([])
      // A comparison of two refusals that are always excepted would prove nothing.
      expect(findings.equal).toBeGreaterThan(OPERATIONS / 2)
    },
    TIMEOUT_MILLISECONDS,
  )
})

describe('the exceptions', () => {
  it('have names of their own', () => {
    const names = JUDGEMENTS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('are told in docs/differential.md as they are here', () => {
    const document = readFileSync(new URL('../../../docs/differential.md', import.meta.url), 'utf8')
    expect(document).toBe(withExceptionTable(document))
  })
})
