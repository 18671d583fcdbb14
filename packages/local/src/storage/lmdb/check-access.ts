import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'

const { R_OK, W_OK, X_OK } = constants

/** What this process must be able to do with a file of a directory. */
export interface WantedAccess {
  readonly name: string
  readonly to: 'read' | 'write'
}

/**
 * Rejects a directory some of whose files this process may not use, as those of another user or of a read-only disk. The database
 * would report such files as unreadable, and a stamp that cannot be read looks like none.
 * @throws Error that names the first of them
 */
export function checkAccess(directory: string, files: readonly WantedAccess[]): void {
  // What is no directory gets an error of its own.
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return
  check(directory, 'the directory', R_OK | X_OK)
  for (const { name, to } of files) {
    const isThere = check(join(directory, name), name, to === 'read' ? R_OK : R_OK | W_OK)
    // The file will be created.
    if (!isThere && to === 'write') check(directory, 'the directory', R_OK | W_OK | X_OK)
  }
}

/** @returns whether the file exists */
function check(path: string, what: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch (error) {
    const { code } = Object(error) as { readonly code?: unknown }
    if (code === 'ENOENT') return false
    const doing = (mode & W_OK) === 0 ? 'read' : 'read and write'
    throw new Error(`this process may not ${doing} ${what} (${String(code)})`, { cause: error })
  }
}
