// Runs a public suite of tests against the local engine, and prints what passed as a table:
//   npm run conformance -- --suite DIR [--variable NAME] [--filter PATH]
// DIR is a clone of the suite whose packages are installed, and whose tests run with vitest or jest and read the endpoint
// from a variable of the environment. Nothing is fetched.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    suite: { type: 'string' },
    variable: { type: 'string', default: 'DYNAMODB_ENDPOINT' },
    filter: { type: 'string', default: '' },
  },
})
if (values.suite === undefined) fail('--suite DIR is missing: the directory of a clone of the suite.')
const suite = resolve(values.suite)
if (!existsSync(join(suite, 'package.json')))
  fail(`${suite} has no package.json; --suite takes the directory of a clone.`)
const runner = ['vitest', 'jest'].find((name) => existsSync(join(suite, 'node_modules', '.bin', name)))
if (runner === undefined) {
  fail(`${suite} has neither vitest nor jest installed. Run \`npm ci\` in it; this command fetches nothing.`)
}

const root = fileURLToPath(new URL('..', import.meta.url))
const { startLocal } = await import(join(root, 'packages/local/dist/index.js'))
const folder = mkdtempSync(join(tmpdir(), 'isotherm-conformance-'))
const local = await startLocal({ port: 0 })
try {
  const report = join(folder, 'report.json')
  const filter = values.filter === '' ? [] : [values.filter]
  const args =
    runner === 'vitest'
      ? ['run', ...filter, '--reporter=json', `--outputFile=${report}`]
      : [...filter, '--json', `--outputFile=${report}`]
  const child = await inBackground(join(suite, 'node_modules', '.bin', runner), args)
  if (!existsSync(report)) fail(`The suite wrote no report.\n${child}`)
  print(JSON.parse(readFileSync(report, 'utf8')))
} finally {
  await local.close()
  rmSync(folder, { recursive: true })
}

/** The engine answers in this process, so the suite must not block it. @returns what the suite printed */
async function inBackground(command, args) {
  const env = {
    ...process.env,
    [values.variable]: local.url,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: 'us-east-1',
    AWS_DEFAULT_REGION: 'us-east-1',
  }
  const child = spawn(command, args, { cwd: suite, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output = (output + data).slice(-4_000)
    })
  }
  await new Promise((end) => child.on('close', end))
  return output
}

/** A row for each folder of tests, as deep as the suite's own tests folder has folders. */
function print({ testResults }) {
  const rows = new Map()
  const failed = []
  for (const { name, assertionResults } of testResults) {
    const group = dirname(relative(suite, name))
    const counts = rows.get(group) ?? { passed: 0, failed: 0, skipped: 0 }
    rows.set(group, counts)
    for (const { status, fullName } of assertionResults) {
      const kind = status === 'passed' || status === 'failed' ? status : 'skipped'
      counts[kind]++
      if (kind === 'failed') failed.push(`${relative(suite, name)}: ${fullName}`)
    }
    // A file that cannot be loaded has no tests.
    if (assertionResults.length === 0) failed.push(`${relative(suite, name)}: no test ran`)
  }
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
  const sum = (kind) => sorted.reduce((all, [, counts]) => all + counts[kind], 0)
  for (const each of failed) console.log(`failed: ${each}`)
  console.log(`\n${titleOf()}\n`)
  console.log('| tests | passed | failed | skipped |\n|---|---:|---:|---:|')
  for (const [group, { passed, failed, skipped }] of sorted) {
    console.log(`| ${group} | ${passed} | ${failed} | ${skipped} |`)
  }
  console.log(`| **all** | **${sum('passed')}** | **${sum('failed')}** | **${sum('skipped')}** |`)
}

/** The suite with its version, and the engine with its own. */
function titleOf() {
  const { name = basename(suite), version } = JSON.parse(readFileSync(join(suite, 'package.json'), 'utf8'))
  const { version: own } = createRequire(import.meta.url)('../packages/local/package.json')
  const commit = spawnSync('git', ['-C', suite, 'log', '-1', '--format=%h of %cs'], { encoding: 'utf8' })
  const state = commit.status === 0 ? `commit ${commit.stdout.trim()}` : `version ${version ?? 'unknown'}`
  return `${name}, ${state}, against the local engine ${own} on ${new Date().toISOString().slice(0, 10)}`
}

function fail(message) {
  console.error(`conformance: ${message}`)
  process.exit(2)
}
