import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What this version writes and the newest it reads. A change of the rows' meaning raises it. */
export const FORMAT_VERSION = 1

export const STAMP_FILE = 'isotherm.json'

/** Tells a data directory from any other that has a file of that name. */
const MAGIC = 'isotherm data directory'

/** What a data directory says of itself. */
export interface Stamp {
  readonly version: number
  /** New until the data file is there: from then on a directory without it is damaged, not empty. */
  readonly state: 'new' | 'ready'
}

/** The directory's stamp; nothing when the file is not one. */
export function readStamp(directory: string): Stamp | undefined {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(join(directory, STAMP_FILE), 'utf8'))
  } catch {
    return undefined
  }
  if (typeof content !== 'object' || content === null) return undefined
  const { format, version, state } = content as { readonly [member: string]: unknown }
  if (format !== MAGIC || typeof version !== 'number') return undefined
  return { version, state: state === 'new' ? 'new' : 'ready' }
}

/** Replaces the stamp as a whole, and puts it and the names of all files beside it on the disk. */
export function writeStamp(directory: string, { version, state }: Stamp): void {
  const finished = join(directory, STAMP_FILE)
  const unfinished = `${finished}.${process.pid}`
  const text = `${JSON.stringify({ format: MAGIC, version, state })}\n`
  writeFileSync(unfinished, text, { flush: true })
  renameSync(unfinished, finished)
  if (process.platform !== 'win32') flushNames(directory)
}

/** Windows cannot open a directory, and keeps its names by a journal of its own. */
function flushNames(directory: string): void {
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
