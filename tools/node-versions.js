// Runs the library, and the README's two commands in a fresh clone, under each supported release of Node: the oldest version
// of the first, the newest of the others. The binaries come from npm (the packages that the package `node` installs) into a folder of the system's temporary ones,
// where they stay for the next run. Writes the results into docs/bundling.md.
//
//   node tools/node-versions.js
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const RELEASES = ['20.19.0', '22', '24']
const root = fileURLToPath(new URL('..', import.meta.url))
const PAGE = `${root}/docs/bundling.md`
const [BEGIN, END] = ['<!-- figures: npm run node-versions -->', '<!-- /figures -->']

/** The SDK's notice about releases that it will drop is not about the library. */
const env = { ...process.env, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' }

const { exports } = JSON.parse(readFileSync(`${root}packages/isotherm/package.json`, 'utf8'))
/** Every entry of the package, the main one first. */
const ENTRIES = JSON.stringify(Object.keys(exports).map((entry) => entry.replace('.', 'isotherm')))

/** The first steps of an application, with every entry loaded. */
const USE = `
const [library] = entries
const isWhole = entries.every((entry) => Object.keys(entry).length > 0)
const client = new DynamoDBClient({ region: 'eu-central-1' })
const db = library.isotherm(client, { tables: { log: { partitionKey: 'pk', suffix: 'random', shards: library.fixedShards(3) } } })
if (!(db instanceof DynamoDBClient) || !isWhole) throw new Error('The library did not load whole.')
db.destroy()
`
const IMPORT = `
const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb')
const entries = await Promise.all(${ENTRIES}.map((entry) => import(entry)))
${USE}`
const REQUIRE = `
const { DynamoDBClient } = require('@aws-sdk/client-dynamodb')
const entries = ${ENTRIES}.map((entry) => require(entry))
${USE}`

const CHECKS = [
  ["`import('isotherm')`", (node) => evaluated(node, 'module', IMPORT)],
  ["`require('isotherm')`", (node) => evaluated(node, 'commonjs', REQUIRE)],
  ['guarantees, in process', (node) => tested(node, 'packages/behaviour/src/in-process')],
  ['tests of the library', (node) => tested(node, 'packages/isotherm/src/')],
  ['bundled function', (node) => tested(node, 'tools/bundle.trials.test.ts')],
  ['`npm ci && npm start -- --once`', cloned],
]

const rows = []
let failures = 0
for (const release of RELEASES) {
  const node = installed(release)
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  const cells = []
  for (const [name, check] of CHECKS) {
    const { passed, failed } = check(node)
    cells.push(failed === 0 ? `${passed} passed` : `${passed} passed, ${failed} failed`)
    failures += failed
    console.log(`${version}, ${name}: ${cells.at(-1)}`)
  }
  rows.push(`| ${[version.slice(1), ...cells].join(' | ')} |`)
}
write(['Node', ...CHECKS.map(([name]) => name)], rows)
process.exit(failures === 0 ? 0 : 1)

/** @returns the path of the release's binary, for this machine's system and processor */
function installed(release) {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${system}-${process.arch}`
  const folder = join(tmpdir(), 'isotherm-node-versions', release)
  const options = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', '--prefix', folder, ...options, `${name}@${release}`], { stdio: 'inherit' })
  const binary = process.platform === 'win32' ? 'node.exe' : 'node'
  return join(folder, 'node_modules', name, 'bin', binary)
}

function evaluated(node, type, code) {
  const { status } = spawnSync(node, [`--input-type=${type}`, '--eval', code], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/** The README's commands in a clone of the last commit. Programs that npm starts find that Node first. */
function cloned(node) {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-node-clone-'))
  const clone = { cwd: folder, env: { ...env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` } }
  const commands = [
    ['git', ['clone', '--quiet', '--depth=1', pathToFileURL(root).href, folder]],
    ['npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']],
    ['npm', ['start', '--', '--once']],
  ]
  try {
    const shell = process.platform === 'win32'
    const isDone = commands.every(([command, args]) => {
      const { status } = spawnSync(command, args, { ...clone, shell, stdio: ['ignore', 'ignore', 'inherit'] })
      return status === 0
    })
    return isDone ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Vitest and its workers run under that Node too, and so does every program that a test starts with `process.execPath`.
 */
function tested(node, filter) {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-node-version-'))
  const outputFile = join(folder, 'result.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${outputFile}`]
  try {
    const { status } = spawnSync(node, [vitest, 'run', '--project', 'fast', filter, ...reporters], {
      cwd: root,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(outputFile, 'utf8'))
    // A file that cannot be loaded has no failed test to count, and a run without tests proves nothing.
    return { passed, failed: status === 0 && passed > 0 ? 0 : Math.max(1, failed) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function write(head, rows) {
  const table = [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...rows].join('\n')
  console.log(table)
  const page = readFileSync(PAGE, 'utf8')
  const from = page.indexOf(BEGIN)
  const to = page.indexOf(END, from)
  if (from < 0 || to < from) throw new Error(`${PAGE} must hold ${BEGIN} and, behind it, ${END}.`)
  writeFileSync(PAGE, `${page.slice(0, from)}${BEGIN}\n\n${table}\n\n${page.slice(to)}`)
}
