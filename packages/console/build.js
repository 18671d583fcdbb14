// Builds the page into `site/`: one script, one stylesheet, and the licences of what is in them.
//
//   npm run build        with everything else
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** The packages whose code is in the script. */
const BUNDLED = ['preact', '@preact/signals', '@preact/signals-core', 'uplot']

/** @param {string} site the folder that is written */
export async function buildPage(site = join(folder, 'site')) {
  rmSync(site, { recursive: true, force: true })
  mkdirSync(site, { recursive: true })
  const { metafile } = await build({
    entryPoints: [join(folder, 'page/main.tsx')],
    outdir: site,
    bundle: true,
    minify: true,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
  })
  for (const name of ['index.html', 'icon.svg']) copyFileSync(join(folder, 'page', name), join(site, name))
  const unknown = Object.keys(metafile.inputs)
    .map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
    .filter((name) => name !== undefined && !BUNDLED.includes(name))
  if (unknown.length > 0) throw new Error(`Add ${unknown[0]} to the licences in build.js.`)
  writeFileSync(join(site, 'licences.txt'), BUNDLED.map(licenceOf).join('\n\n'))
}

function licenceOf(name) {
  const require = createRequire(import.meta.url)
  const paths = require.resolve.paths(name) ?? []
  for (const path of paths) {
    try {
      return `${name}\n\n${readFileSync(join(path, name, 'LICENSE'), 'utf8')}`
    } catch {
      // It is in another of the folders.
    }
  }
  throw new Error(`${name} has no LICENSE beside ${dirname(folder)}.`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage()
