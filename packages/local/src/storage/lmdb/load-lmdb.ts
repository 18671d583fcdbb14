import { createRequire } from 'node:module'

/**
 * Loads the package `lmdb` when the first directory is opened. Its native part takes tens of milliseconds to load,
 * which users of the store in memory should not wait for. `import()` is not possible, because opening a directory is
 * synchronous.
 */
export function loadLmdb(): typeof import('lmdb') {
  return createRequire(import.meta.url)('lmdb')
}
