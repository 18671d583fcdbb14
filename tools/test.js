// Runs the checks and the tests, and ends with one line for people and for machines: `N passed, N failed`.
//
//   npm test [-- PATH...]      the checks and the fast tests, or those of the files that match
//   npm run test:full          the rest: long tests, and comparisons with the software of others
//   … -- --all                 with those that depend on their code alone, and passed with the same code
//   … -- --record [PATH...]    notes which of those pass
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { startVitest } from 'vitest/node'
import { digestsNow, passedBefore, recordPassed } from './repeatable/passed-before.js'
import { TestReporter } from './test-reporter.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const isFull = args.includes('--full')
const records = isFull && args.includes('--record')
const paths = args.filter((arg) => !arg.startsWith('--'))

const BIOME = 'node_modules/@biomejs/biome/bin/biome'
const COMPILER = 'node_modules/typescript/bin/tsc'
const KNIP = 'node_modules/knip/bin/knip.js'

const CHECKS = [
  ['lint', [BIOME, 'check', '--error-on-warnings', '.']],
  ['types', [COMPILER, '--build']],
  ['types of the tests', [COMPILER, '--project', 'tsconfig.tests.json']],
  ['nothing unused', [KNIP, '--no-config-hints']],
]
const FULL_CHECKS = [
  ['comparisons installed', ['tools/comparisons.js']],
  ['types', [COMPILER, '--build']],
  ['types of the comparisons', [COMPILER, '--project', 'comparisons/tsconfig.json']],
]

const failedChecks = (isFull ? FULL_CHECKS : CHECKS).filter(([name, args]) => !holds(name, args)).length
const passedChecks = (isFull ? FULL_CHECKS : CHECKS).length - failedChecks

const digests = isFull ? await digestsNow() : new Map()
// A file that is named is run.
const notRepeated = args.includes('--all') || paths.length > 0 ? [] : passedBefore(digests)

const began = performance.now()
const { counts, skipped, slow, slowest, passedFiles } = await runTests()
if (records) recordPassed(digests, passedFiles)
// A few files have too little beside them to compare with.
const tooSlow = isFull || paths.length > 0 ? [] : slow
const seconds = Math.round((performance.now() - began) / 1_000)

for (const [reason, count] of skipped)
  console.log(`skipped: ${count} ${count === 1 ? 'test' : 'tests'}, ${reason}`)
for (const file of tooSlow) {
  console.log(`FAILED: ${file} takes too long for npm test; make it faster, or name it *.long.test.ts`)
}
if (isFull) for (const { file, seconds } of slowest) console.log(`${seconds} s: ${file}`)
if (notRepeated.length > 0) {
  const tests = notRepeated.reduce((sum, each) => sum + each.tests, 0)
  console.log(
    `not repeated: ${tests} tests in ${notRepeated.length} files, which passed with the same code; add -- --all to run them`,
  )
}
console.log(`${counts.passed} tests in ${counts.files} files, ${seconds} s`)
if (!isFull) console.log('not run: long tests and comparisons, which npm run test:full runs')

const failed = failedChecks + counts.failed + tooSlow.length
console.log(`${passedChecks + counts.passed} passed, ${failed} failed`)
process.exit(failed === 0 && counts.passed > 0 ? 0 : 1)

function holds(name, args) {
  const began = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  const seconds = Math.round((performance.now() - began) / 1_000)
  console.log(status === 0 ? `passed: ${name}, ${seconds} s` : `FAILED: ${name}\n${stdout}${stderr}`)
  return status === 0
}

async function runTests() {
  const reporter = new TestReporter()
  const vitest = await startVitest('test', paths, {
    root,
    cliExclude: notRepeated.map(({ file }) => file),
    project: isFull ? ['long', 'trials', 'comparisons'] : ['fast'],
    reporters: [reporter],
    watch: false,
  })
  await vitest.close()
  return reporter
}
