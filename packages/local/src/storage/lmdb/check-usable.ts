import { statSync } from 'node:fs'
import { join } from 'node:path'
import { LocalError } from '../../errors/local-error.js'
import { checkAccess, type WantedAccess } from './check-access.js'
import { MAP_BYTES } from './database.js'
import { CLAIMED_FILES, OWN_FILES, USED_FILES } from './directory-files.js'
import { freeBytesOf, MAX_FILE_BYTES } from './free-space.js'
import { checkDescriptors, processLimit } from './process-limits.js'
import { refusal } from './refusal.js'
import { unusableDirectory } from './unusable-directory.js'

/** Both databases together need less. */
const OPENING_BYTES = 256 * 1024

/** @param to what is done with the data. @throws LocalError when this process may not do it. */
export function checkUsable(path: string, to: WantedAccess['to']): void {
  const used = USED_FILES.map((name): WantedAccess => ({ name, to }))
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) {
      throw notUsable(path, 'it is not a directory', 'Give the path of a directory.')
    }
    checkAccess(path, [...used, ...CLAIMED_FILES.map((name): WantedAccess => ({ name, to: 'write' }))])
    checkFiles(path)
  } catch (error) {
    throw error instanceof LocalError ? error : unusableDirectory(path, error)
  }
}

/** The database would end the process when it finds a directory in place of a file. @throws LocalError */
function checkFiles(path: string): void {
  for (const name of OWN_FILES) {
    if (statSync(join(path, name), { throwIfNoEntry: false })?.isFile() !== false) continue
    throw notUsable(path, `its ${name} is not a file`, 'Move it away, or give another directory.')
  }
}

function notUsable(path: string, what: string, cure: string): LocalError {
  return refusal('storage.directory', path, `cannot be used: ${what}. Nothing in it was changed. ${cure}`)
}

/** The database would end the process when it meets one of these limits. @throws LocalError */
export function checkLimits(path: string): void {
  try {
    checkDescriptors()
  } catch (error) {
    throw unusableDirectory(path, error)
  }
  const addressBytes = processLimit('Max address space')
  if (addressBytes === undefined || addressBytes > MAP_BYTES) return
  throw refusal(
    'storage.limits',
    path,
    `cannot be opened, because this process may use only ${addressBytes} bytes of address space, and more than ${MAP_BYTES} are needed. They take no memory. Start it with \`ulimit -v unlimited\`.`,
    { addressBytes },
  )
}

/** Opening takes a few pages. The database would end the process when it cannot get them. @throws LocalError */
export function checkSpace(path: string): void {
  if (MAX_FILE_BYTES !== undefined && MAX_FILE_BYTES < OPENING_BYTES) {
    throw refusal(
      'storage.full',
      path,
      `cannot be opened, because this process may write files of only ${MAX_FILE_BYTES} bytes, and ${OPENING_BYTES} are needed. Nothing in it was changed. Raise the limit (\`ulimit -f\`) and start again.`,
      { maxFileBytes: MAX_FILE_BYTES },
    )
  }
  const freeBytes = freeBytesOf(path)
  if (freeBytes === undefined || freeBytes >= OPENING_BYTES) return
  throw refusal(
    'storage.full',
    path,
    `cannot be opened, because its disk is full (${freeBytes} bytes are free, and ${OPENING_BYTES} are needed). Nothing in it was changed. Free some space and start again.`,
    { freeBytes },
  )
}
