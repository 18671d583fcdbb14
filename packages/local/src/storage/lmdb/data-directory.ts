import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { LocalError } from '../../errors/local-error.js'
import { checkComplete } from './check-complete.js'
import { checkHeader } from './check-header.js'
import { checkLimits, checkSpace, checkUsable } from './check-usable.js'
import { Database } from './database.js'
import { OPENER_FILE, OWN_FILES } from './directory-files.js'
import { ITEMS_FILE } from './free-space.js'
import { makeDirectory } from './make-directory.js'
import { checkStructure } from './pages/check-structure.js'
import { refusal } from './refusal.js'
import { claim, type SoleOpener } from './sole-opener.js'
import {
  FORMAT_VERSION,
  LOWEST_VERSION,
  mayHaveUnsealedRows,
  readStamp,
  STAMP_FILE,
  type Stamp,
  writeStamp,
} from './stamp.js'
import { isSystemError, unusableDirectory } from './unusable-directory.js'

const MIN_PAGE_BYTES = 4096
/** New directories, which hold the data of users, are closed to other users of the machine. */
const OWNER_ONLY = 0o700

/** A data directory that only this opener uses until it is released. */
export interface DataDirectory {
  readonly path: string
  readonly database: Database
  release(): Promise<void>
  /** Releases it, and removes what this opening has created: nothing of a directory that held data before. */
  discard(): Promise<void>
}

/**
 * Opens a data directory, and creates it when it is missing or empty.
 * @throws LocalError when it is foreign, newer, damaged, in use, or cannot be created.
 */
export function claimDirectory(directory: string): DataDirectory {
  const path = pathOf(directory)
  const made = usableDirectory(path)
  try {
    return { path, ...openedDirectory(path, made) }
  } catch (error) {
    removeDirectories(made)
    throw error
  }
}

/** @param made the directories that this opening has created */
function openedDirectory(path: string, made: readonly string[]): Omit<DataDirectory, 'path'> {
  checkUsable(path, 'write')
  const present = presentStamp(path)
  checkLimits(path)
  checkSpace(path)
  const stamp = present ?? createdStamp(path)
  const opener = claimOpener(path)
  // Another engine may have come and gone since the stamp was looked for.
  const isNew = present === undefined && !existsSync(join(path, ITEMS_FILE))
  const remove = () => {
    if (isNew) removeOwn(path, made)
  }
  try {
    const database = stampedItems(path, stamp)
    const release = async () => {
      await database.close()
      await opener.release()
    }
    const discard = async () => {
      // Before the claim ends, because another engine may use the directory from then on. Windows removes no open file.
      if (process.platform !== 'win32') remove()
      await release()
      if (process.platform === 'win32') remove()
    }
    return { database, release, discard }
  } catch (error) {
    if (process.platform !== 'win32') remove()
    void opener.release()
    throw error
  }
}

/** The data file of a directory that is not opened, but that nothing else uses until it is released. */
export interface ClaimedFile {
  readonly path: string
  readonly file: string
  /** Whether rows without a checksum are of an older version, and not damaged. */
  readonly mayHaveUnsealedRows: boolean
  release(): Promise<void>
}

/**
 * Claims an existing data directory without opening its data, which may be damaged.
 * @throws LocalError when it is missing, foreign, newer or in use.
 */
export function claimFile(directory: string): ClaimedFile {
  const path = pathOf(directory)
  checkUsable(path, 'read')
  checkLimits(path)
  if (!existsSync(join(path, STAMP_FILE))) {
    throw refusal('storage.foreign', path, `is no data directory of Isotherm's: it has no ${STAMP_FILE}.`)
  }
  const stamp = presentStamp(path)
  if (stamp === undefined) {
    throw refusal(
      'storage.foreign',
      path,
      `is no data directory of Isotherm's: its ${STAMP_FILE} is not valid.`,
    )
  }
  const file = join(path, ITEMS_FILE)
  if (!existsSync(file)) {
    throw refusal('storage.damaged', path, `has lost its data: ${ITEMS_FILE} is missing.`, { file })
  }
  const opener = claimOpener(path)
  return {
    path,
    file,
    mayHaveUnsealedRows: mayHaveUnsealedRows(stamp),
    release: () => opener.release(),
  }
}

function pathOf(directory: string): string {
  if (directory !== '') return resolve(directory)
  // The current directory is rarely meant, and resolving an empty name would give it.
  throw new LocalError(
    'storage.directory',
    'The name of the data directory is empty. Give the path of a directory, or leave the option out to keep data in memory.',
    { directory },
  )
}

/** @throws LocalError when another engine uses the directory. */
function claimOpener(path: string): SoleOpener {
  checkOpener(path)
  const opener = claimed(path)
  if (typeof opener !== 'number') return opener
  const who = opener === process.pid ? 'by this process' : `by the process ${opener}`
  throw refusal(
    'storage.in-use',
    path,
    `is open already ${who}. Only one engine at a time may use it: end that one, or give another directory.`,
    { process: opener },
  )
}

/** @throws LocalError when the system does not let it be claimed, as on a disk without locks. */
function claimed(path: string): SoleOpener | number {
  try {
    return claim(join(path, OPENER_FILE))
  } catch (error) {
    throw unusableDirectory(path, error)
  }
}

/** The database would end the process when this file is damaged. @throws LocalError */
function checkOpener(path: string): void {
  const file = join(path, OPENER_FILE)
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return
  try {
    checkHeader(file)
    if (size < 2 * MIN_PAGE_BYTES) throw new Error(`it has only ${size} bytes`)
  } catch (error) {
    if (isSystemError(error)) throw unusableDirectory(path, error)
    throw refusal(
      'storage.damaged',
      path,
      `is damaged: ${OPENER_FILE} cannot be read (${textOf(error)}). It holds no data. If no other engine uses the directory, delete this file and start again.`,
      { file },
      error,
    )
  }
}

/** @returns the directories that had to be created. @throws LocalError */
function usableDirectory(path: string): readonly string[] {
  try {
    return makeDirectory(path, OWNER_ONLY)
  } catch (error) {
    throw unusableDirectory(path, error)
  }
}

/** Leaves what cannot be removed: there is an error already, which says more to its reader. */
function removeOwn(path: string, made: readonly string[]): void {
  try {
    for (const name of OWN_FILES) rmSync(join(path, name), { force: true })
  } catch {
    return
  }
  removeDirectories(made)
}

/** Those that have got files meanwhile stay. */
function removeDirectories(made: readonly string[]): void {
  try {
    for (const each of made.toReversed()) rmdirSync(each)
  } catch {
    // Those above are not empty, either.
  }
}

/**
 * The stamp of a directory.
 * @returns `undefined` when the directory is empty.
 * @throws LocalError
 */
function presentStamp(path: string): Stamp | undefined {
  let names: readonly string[]
  let stamp: Stamp | undefined
  try {
    names = readdirSync(path)
    stamp = names.includes(STAMP_FILE) ? readStamp(path) : undefined
  } catch (error) {
    throw unusableDirectory(path, error)
  }
  if (stamp === undefined) {
    // An interrupted start leaves only an unfinished stamp in an empty directory.
    if (names.some((name) => !name.startsWith(`${STAMP_FILE}.`))) {
      throw refusal(
        'storage.foreign',
        path,
        `holds other files and is not a data directory of Isotherm's (it has no valid ${STAMP_FILE}). Nothing in it was touched. Give an empty or a new directory.`,
      )
    }
    return undefined
  }
  if (stamp.version > FORMAT_VERSION) {
    throw refusal(
      'storage.newer',
      path,
      `has format version ${stamp.version}; this version of Isotherm reads up to ${FORMAT_VERSION}. Nothing in it was touched. Use a newer Isotherm, or another directory.`,
      { version: stamp.version },
    )
  }
  return stamp
}

/** @throws LocalError */
function createdStamp(path: string): Stamp {
  const created: Stamp = { version: FORMAT_VERSION, state: 'new' }
  stampDirectory(path, created)
  return created
}

/** @throws LocalError */
function stampDirectory(path: string, stamp: Stamp): void {
  try {
    writeStamp(path, stamp)
  } catch (error) {
    throw unusableDirectory(path, error)
  }
}

/** Opens the data of a directory, and stamps it as ready. @throws LocalError */
function stampedItems(path: string, stamp: Stamp): Database {
  const database = openItems(path, stamp)
  if (stamp.state === 'ready' && stamp.version >= LOWEST_VERSION) return database
  try {
    stampDirectory(path, { version: Math.max(stamp.version, LOWEST_VERSION), state: 'ready' })
    return database
  } catch (error) {
    void database.close()
    throw error
  }
}

/** @throws LocalError */
function openItems(path: string, stamp: Stamp): Database {
  const file = join(path, ITEMS_FILE)
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  try {
    if (stamp.state === 'ready' && size === 0) throw new Error('it is missing or empty')
    if (size > 0) {
      checkHeader(file)
      checkStructure(file)
    }
    const database = new Database(file, { mayHaveUnsealedRows: mayHaveUnsealedRows(stamp) })
    if (size > 0) checkComplete(database, file, size)
    return database
  } catch (error) {
    if (isSystemError(error)) throw unusableDirectory(path, error)
    throw refusal(
      'storage.damaged',
      path,
      `is damaged: ${ITEMS_FILE} cannot be read (${textOf(error)}). Nothing in it was changed. Restore the directory from a copy, or write what is intact to a new directory NEW with \`isotherm local --verify ${path} --salvage NEW\`.`,
      { file },
      error,
    )
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
