import { createRequire } from 'node:module'

/**
 * The package `lmdb`, loaded when the first directory is opened: its native part takes tens of milliseconds, which nobody
 * shall wait for whose data is in memory. Not by `import()`, because opening a directory is synchronous.
 */
export function loadLmdb(): typeof import('lmdb') {
  return createRequire(import.meta.url)('lmdb')
}
