import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The format of new directories, and the newest that this version reads. Raise it when the meaning of rows changes, and run
 * `npm run stored-directory`, so that tests open a directory of each version.
 *
 * Version 2 added a checksum to each row that is written. A directory of version 1 is raised to it when it is opened: its
 * rows are read as they are, and get their checksums when they are written again. In version 3, every row has one.
 */
export const FORMAT_VERSION = 3

/** The lowest version of a directory that this version of the engine has opened. */
export const LOWEST_VERSION = 2

/** Whether a directory may have rows without a checksum. In any other one, a row that seems to have none is damaged. */
export function mayHaveUnsealedRows({ version }: Stamp): boolean {
  return version < 3
}

export const STAMP_FILE = 'isotherm.json'

const OWNER_ONLY = 0o600

/** Distinguishes a data directory from any other directory with a file of that name. */
const MAGIC = 'isotherm data directory'

/** The content of a data directory's stamp file. */
export interface Stamp {
  readonly version: number
  /** `new` until the data file exists. After that, a directory without a data file is damaged, not empty. */
  readonly state: 'new' | 'ready'
}

/**
 * Reads the directory's stamp. Returns `undefined` when the file is not a stamp.
 * @throws Error of the system when the file cannot be read
 */
export function readStamp(directory: string): Stamp | undefined {
  const text = readFileSync(join(directory, STAMP_FILE), 'utf8')
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof content !== 'object' || content === null) return undefined
  const { format, version, state } = content as { readonly [member: string]: unknown }
  if (format !== MAGIC || typeof version !== 'number') return undefined
  return { version, state: state === 'new' ? 'new' : 'ready' }
}

/** Replaces the stamp atomically, and flushes it and the names of all files beside it to disk. */
export function writeStamp(directory: string, { version, state }: Stamp): void {
  const finished = join(directory, STAMP_FILE)
  const unfinished = `${finished}.${process.pid}`
  const text = `${JSON.stringify({ format: MAGIC, version, state })}\n`
  writeFileSync(unfinished, text, { flush: true, mode: OWNER_ONLY })
  renameSync(unfinished, finished)
  if (process.platform !== 'win32') flushNames(directory)
}

/** Windows cannot open a directory. Its file system journals file names itself. */
function flushNames(directory: string): void {
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
