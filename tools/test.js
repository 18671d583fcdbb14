// Runs every check of the project and closes with one line, `N passed, N failed`, for people and for machines.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const checks = [
  ['lint', ['biome', 'check', '--error-on-warnings', '.']],
  ['build', ['tsc', '--build']],
  ['types of the tests', ['tsc', '--project', 'tsconfig.tests.json']],
  ['nothing unused', ['knip']],
]

let passed = 0
let failed = 0

for (const [name, command] of checks) {
  const { status } = run(command)
  console.log(`${status === 0 ? 'passed' : 'FAILED'}: ${name}`)
  if (status === 0) passed += 1
  else failed += 1
}

const folder = mkdtempSync(join(tmpdir(), 'isotherm-tests-'))
const resultFile = join(folder, 'result.json')
const { status } = run([
  'vitest',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile=${resultFile}`,
])
const tests = readResult(resultFile)
rmSync(folder, { recursive: true })
passed += tests.passed
// A file that cannot be loaded, or a crash of the runner, has no failed test to count: it counts as one all the same.
failed += status === 0 ? tests.failed : Math.max(1, tests.failed)

console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 && tests.passed > 0 ? 0 : 1)

function run([tool, ...rest]) {
  return spawnSync('npx', ['--no-install', tool, ...rest], { stdio: 'inherit' })
}

function readResult(file) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(file, 'utf8'))
    return { passed: numPassedTests, failed: numFailedTests }
  } catch {
    return { passed: 0, failed: 1 }
  }
}
