import { createRequire } from 'node:module'

/**
 * Loads the package `lmdb` when the first directory is opened. Its native part takes tens of milliseconds to load,
 * which users of the store in memory should not wait for. `import()` is not possible, because opening a directory is
 * synchronous.
 */
export function loadLmdb(): typeof import('lmdb') {
  return createRequire(import.meta.url)('lmdb')
}

/** The files hold the data of users, so only their owner may read them. The package passes this option on, and does not declare it. */
export const OWNER_ONLY_FILES = { permissionsMode: 0o600 }
