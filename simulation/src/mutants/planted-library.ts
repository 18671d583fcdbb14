import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { Library } from '../world/library.js'
import { LIBRARY_SOURCE } from './library-source.js'
import type { Mutant } from './mutant.js'
import { plantedFile } from './planted-file.js'

/** From both `src` and `dist` of this package; git ignores the folder, and imports of packages resolve from it. */
const COPIES = fileURLToPath(new URL('../../dist/planted/', import.meta.url))

/** All that a workload uses, of several entries. */
const ENTRY = [
  'index.ts',
  'patterns/large/index.ts',
  'patterns/counter/index.ts',
  'patterns/pool/index.ts',
  'patterns/queue/index.ts',
  'patterns/rotation/index.ts',
  'patterns/search/index.ts',
]
  .map((entry) => `export * from './${entry}'\n`)
  .join('')

/**
 * The library with the bug in it, built from its sources, so that nothing of mutants is in the library itself, and it does not matter
 * whether the sources or the compiled code of this package run.
 *
 * @throws Error where the mutant does not fit the source any more
 */
export async function plantedLibrary(mutant: Mutant): Promise<Library> {
  const { path, text } = plantedFile(mutant)
  const outfile = `${COPIES}${mutant.name.replaceAll(/[^a-z0-9]+/gi, '-')}.js`
  await build({
    stdin: { contents: ENTRY, resolveDir: LIBRARY_SOURCE, sourcefile: 'planted.ts', loader: 'ts' },
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'es2023',
    format: 'esm',
    logLevel: 'silent',
    plugins: [
      {
        name: 'plant',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.ts$/ }, (args) =>
            args.path === `${LIBRARY_SOURCE}${path}` ? { contents: text, loader: 'ts' } : undefined,
          ),
      },
    ],
  })
  return (await import(pathToFileURL(outfile).href)) as Library
}
