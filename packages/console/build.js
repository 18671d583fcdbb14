// Builds the page into `site/`: one script, one stylesheet, and the licences of what is in them.
//
//   npm run build        with everything else
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { licencesOf } from '../../tools/licences.js'

const folder = fileURLToPath(new URL('.', import.meta.url))

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
  writeFileSync(join(site, 'licences.txt'), licencesOf(metafile, process.cwd()))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage()
