// Measures the bundle that esbuild makes of an application with the library as it is published, as for AWS Lambda. As a
// program it writes the figures into docs/bundling.md.
//
//   node tools/bundle.js
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { publishedCopy } from './pack.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const PAGE = `${root}/docs/bundling.md`
const [BEGIN, END] = ['<!-- figures: npm run bundle-size -->', '<!-- /figures -->']

/**
 * Sets of features that applications use, from the smallest to everything, with the maximum size of each: gzipped KB,
 * as an ES module.
 */
export const APPLICATIONS = [
  { uses: '`appends`, `dynamicShards`', entry: 'isotherm/core', maxGzipKilobytes: 39 },
  { uses: '`appends`, `queries`, `fixedShards`', entry: 'isotherm/core', maxGzipKilobytes: 41 },
  { uses: '`appends`, `queries`, `dynamicShards`', entry: 'isotherm/core', maxGzipKilobytes: 55 },
  {
    uses: '`appends`, `queries`, `rebalancing`, `dynamicShards`',
    entry: 'isotherm/core',
    maxGzipKilobytes: 65,
  },
  { uses: '`items`, `queries`, `dynamicShards`', entry: 'isotherm/core', maxGzipKilobytes: 66 },
  { uses: '`items`, `queries`, `calculated`, `fixedShards`', entry: 'isotherm/core', maxGzipKilobytes: 57 },
  { uses: 'every command: `fixedShards`', entry: 'isotherm', maxGzipKilobytes: 98 },
  { uses: 'every command: `dynamicShards`', entry: 'isotherm', maxGzipKilobytes: 110 },
  { uses: 'all that is exported', entry: 'isotherm', maxGzipKilobytes: 126 },
  { uses: 'all that is exported', entry: 'isotherm/large', maxGzipKilobytes: 16 },
  { uses: 'all that is exported', entry: 'isotherm/counter', maxGzipKilobytes: 11 },
  { uses: 'all that is exported', entry: 'isotherm/rotation', maxGzipKilobytes: 20 },
  { uses: 'all that is exported', entry: 'isotherm/pool', maxGzipKilobytes: 11 },
  { uses: 'all that is exported', entry: 'isotherm/queue', maxGzipKilobytes: 13 },
  { uses: 'all that is exported', entry: 'isotherm/search', maxGzipKilobytes: 22.5 },
]

/** The part of an application's code that imports the library. */
export function importsOf({ uses, entry }) {
  const names = Array.from(uses.matchAll(/`(\w+)`/g), ([, name]) => name)
  return names.length === 0
    ? `export * from '${entry}'`
    : `export { isotherm, ${names.join(', ')} } from '${entry}'`
}

/** @returns {Promise<string>} a new folder with the library as it is published in it; the caller removes it */
export async function installedLibrary() {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-installed-'))
  mkdirSync(join(folder, 'node_modules'))
  renameSync(await publishedCopy('packages/isotherm'), join(folder, 'node_modules/isotherm'))
  return folder
}

/**
 * Bundles a module, minified, for the oldest Node that is supported.
 *
 * @param {string} code
 * @param {{ folder: string, format: 'esm' | 'cjs', external?: readonly string[] }} how with the folder that has the library
 */
export async function bundle(code, { folder, format, external = ['@aws-sdk/*'] }) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: folder, sourcefile: 'application.js' },
    absWorkingDir: root,
    nodePaths: [join(root, 'node_modules')],
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format,
    external: [...external],
    mainFields: ['module', 'main'],
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
  const [output] = outputFiles
  const [{ imports, inputs }] = Object.values(metafile.outputs)
  return {
    code: output.text,
    bytes: output.contents.length,
    gzipBytes: gzipSync(output.contents).length,
    imports: [...new Set(imports.map(({ path }) => path))].sort(),
    inputs: Object.keys(inputs).filter((input) => inputs[input].bytesInOutput > 0),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await measure()

async function measure() {
  const kilobytes = (bytes) => (bytes / 1_024).toFixed(1)
  const folder = await installedLibrary()
  const rows = []
  for (const application of APPLICATIONS) {
    const { bytes, gzipBytes } = await bundle(importsOf(application), { folder, format: 'esm' })
    const { entry, uses } = application
    rows.push(`| \`${entry}\` | ${uses} | ${kilobytes(bytes)} | ${kilobytes(gzipBytes)} |`)
  }
  rmSync(folder, { recursive: true })
  const head = '| entry | what is used besides `isotherm` | minified, KB | gzipped, KB |'
  const table = [head, '|---|---|---|---|', ...rows].join('\n')
  console.log(table)
  const page = readFileSync(PAGE, 'utf8')
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`${PAGE} must hold ${BEGIN} and, behind it, ${END}.`)
  writeFileSync(PAGE, `${page.slice(0, from)}${BEGIN}\n\n${table}\n\n${page.slice(to)}`)
}
