import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The library's sources: the same place from `src` and from `dist` of this package. */
export const LIBRARY_SOURCE = fileURLToPath(new URL('../../../packages/isotherm/src/', import.meta.url))

/** One file of the library. */
export interface SourceFile {
  /** Below the library's `src`. */
  readonly path: string
  readonly text: string
}

/** Every file of the library that is not a test. */
export function librarySources(): readonly SourceFile[] {
  return readdirSync(LIBRARY_SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(test|behaviour|fixture)\.ts$/.test(path))
    .map((path) => ({
      path: path.replaceAll('\\', '/'),
      text: readFileSync(`${LIBRARY_SOURCE}${path}`, 'utf8'),
    }))
}
