// Measures how long Node takes to import the library, beyond the SDK, which the application imports anyway. Each import is
// the first one of a process; files are in the operating system's cache.
//
//   node tools/import-time.js [--rounds 20] [--write docs/bundling.md]
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle, installedLibrary } from './bundle.js'
import { joinedEntries } from './joined-entries.js'

const [BEGIN, END] = ['<!-- import-time: npm run import-time -->', '<!-- /import-time -->']
const SDK = '@aws-sdk/client-dynamodb'
const root = fileURLToPath(new URL('..', import.meta.url))
const library = join(root, 'packages/isotherm')
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, write: { type: 'string' } },
})
const rounds = Number(values.rounds)

/** Inside the package, so that its imports are found. */
const folder = mkdtempSync(join(library, 'dist/import-time-'))

function written(path, text) {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

/** Milliseconds of processor time that a new process takes, which depend less on other processes than the clock does. */
function importTime(module) {
  const code = `await import(${JSON.stringify(module)})
    const { user, system } = process.cpuUsage()
    console.log((user + system) / 1000)`
  const node = ['--input-type=module', '--eval', code]
  return Number(execFileSync(process.execPath, node, { cwd: root, encoding: 'utf8' }))
}

const median = (figures) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]

async function modules() {
  const manifest = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'))
  const { files } = await joinedEntries(library, manifest, Object.keys(manifest.peerDependencies))
  for (const { path, text } of files) written(path, text)
  const installed = await installedLibrary()
  const bundled = (code) => bundle(code, { folder: installed, format: 'esm' })
  const everything = await bundled("export * from 'isotherm'")
  const few = await bundled("export { isotherm, appends, queries, dynamicShards } from 'isotherm/core'")
  rmSync(installed, { recursive: true })
  return {
    'the published package': join(folder, 'dist/index.js'),
    'a bundle of everything (esbuild)': written('everything.mjs', everything.code),
    'a bundle with `appends`, `queries`, `dynamicShards` of `isotherm/core`': written('few.mjs', few.code),
    'the same modules in files of their own, as in this repository': 'isotherm',
  }
}

try {
  const measured = await modules()
  const figures = {}
  for (let round = 0; round < rounds; round++) {
    for (const [name, module] of Object.entries({ sdk: SDK, ...measured })) {
      figures[name] = [...(figures[name] ?? []), importTime(module)]
    }
  }
  const beyond = (name) => (median(figures[name]) - median(figures.sdk)).toFixed(0)
  const rows = Object.keys(measured).map((name) => `| ${name} | ${beyond(name)} |`)
  const [{ model }] = cpus()
  const text = `| what is imported | milliseconds of processor time beyond the SDK |
|---|---:|
${rows.join('\n')}

Medians of ${rounds} processes each, in turn, on ${cpus().length} × ${model.trim()},
Node ${process.versions.node}.`
  console.log(text)
  if (values.write !== undefined) {
    const page = readFileSync(values.write, 'utf8')
    const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
    if (from < 0 || to < from) throw new Error(`${values.write} must hold ${BEGIN} and, behind it, ${END}.`)
    writeFileSync(values.write, `${page.slice(0, from)}${BEGIN}\n\n${text}\n\n${page.slice(to)}`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
