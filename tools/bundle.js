// What esbuild makes of an application that uses the library, as for AWS Lambda. Run by itself it measures, and writes the
// figures into docs/bundling.md.
//
//   node tools/bundle.js
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const PAGE = `${root}/docs/bundling.md`
const [BEGIN, END] = ['<!-- figures: npm run bundle-size -->', '<!-- /figures -->']

/** The least that an application imports, and everything there is. */
export const MINIMAL = "export { isotherm } from 'isotherm'"
export const EVERYTHING = "export * from 'isotherm'"

/**
 * Bundles a module, minified, for the oldest Node that is supported.
 *
 * @param {string} code
 * @param {{ format: 'esm' | 'cjs', external?: readonly string[] }} how
 */
export async function bundle(code, { format, external = ['@aws-sdk/*'] }) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: root, sourcefile: 'application.js' },
    absWorkingDir: root,
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
  const rows = []
  for (const [what, code] of [
    ["`import { isotherm } from 'isotherm'`", MINIMAL],
    ["`import * as everything from 'isotherm'`", EVERYTHING],
  ]) {
    for (const format of ['esm', 'cjs']) {
      const { bytes, gzipBytes } = await bundle(code, { format })
      rows.push(`| ${what} | ${format} | ${kilobytes(bytes)} | ${kilobytes(gzipBytes)} |`)
    }
  }
  const table = ['| import | format | minified, KB | gzipped, KB |', '|---|---|---|---|', ...rows].join('\n')
  console.log(table)
  const page = readFileSync(PAGE, 'utf8')
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`${PAGE} must hold ${BEGIN} and, behind it, ${END}.`)
  writeFileSync(PAGE, `${page.slice(0, from)}${BEGIN}\n\n${table}\n\n${page.slice(to)}`)
}
