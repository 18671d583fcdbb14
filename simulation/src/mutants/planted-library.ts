import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Library } from '../world/library.js'
import type { Mutant } from './mutant.js'

/** From both `src` and `dist` of this package; git ignores what is there, and packages are found from there. */
const COPIES = fileURLToPath(new URL('../../dist/planted/', import.meta.url))
const COMPILED = fileURLToPath(new URL('../../../packages/isotherm/dist/', import.meta.url))

/**
 * The library with the bug in it: a patched copy of what was compiled, so that the library itself knows nothing of mutants.
 * @throws Error where the text to replace is not there exactly once: then the mutant is about code that has changed
 */
export async function plantedLibrary(mutant: Mutant): Promise<Library> {
  const { name, file, text, replacement } = mutant
  const folder = `${COPIES}${name.replaceAll(/[^a-z0-9]+/gi, '-')}/`
  const found = occurrences(mutant)
  if (found !== 1) {
    throw new Error(`The mutant "${name}" does not fit any more: ${file} has its text ${found} times.`)
  }
  rmSync(folder, { recursive: true, force: true })
  for (const path of readdirSync(COMPILED, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.js')) continue
    mkdirSync(dirname(`${folder}${path}`), { recursive: true })
    writeFileSync(`${folder}${path}`, compiled(path))
  }
  writeFileSync(`${folder}${file}`, compiled(file).split(text).join(replacement))
  return (await import(pathToFileURL(`${folder}index.js`).href)) as Library
}

/** How often the compiled library has the text that the bug takes the place of. */
export function occurrences({ file, text }: Pick<Mutant, 'file' | 'text'>): number {
  return compiled(file).split(text).length - 1
}

/** Without the name of its source map, which leads from a copy to sources that are not there. */
function compiled(path: string): string {
  return readFileSync(`${COMPILED}${path}`, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n')
}
