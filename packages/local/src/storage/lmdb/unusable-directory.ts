import { getSystemErrorMap } from 'node:util'
import { LocalError, type LocalErrorCode } from '../../errors/local-error.js'

interface Cure {
  readonly code: LocalErrorCode
  readonly text: string
}

const OWNER: Cure = {
  code: 'storage.directory',
  text: 'Start as the user that owns its files, or change their permissions.',
}
const NAME: Cure = { code: 'storage.directory', text: 'Check its path.' }
const SPACE: Cure = { code: 'storage.full', text: 'Free some space and start again.' }
const FILES: Cure = {
  code: 'storage.limits',
  text: 'Raise the number of files that may be open (`ulimit -n`), or close some.',
}
const DISK: Cure = { code: 'storage.directory', text: 'Check the disk, or give a directory on another one.' }

/** By the names that the system gives to its errors. */
const CURES: { readonly [name: string]: Cure } = {
  EACCES: OWNER,
  EPERM: OWNER,
  EROFS: {
    code: 'storage.directory',
    text: 'Its disk is read-only: mount it for writing, or give a directory on another one.',
  },
  ENOTDIR: {
    code: 'storage.directory',
    text: 'A file is where a directory must be: give the path of a directory.',
  },
  ENOENT: NAME,
  ELOOP: NAME,
  ENAMETOOLONG: NAME,
  ENOSPC: SPACE,
  EDQUOT: SPACE,
  EMFILE: FILES,
  ENFILE: FILES,
}

/**
 * Whether the system refused to read or write, so that nothing is known about the content. LMDB passes the number of the system's error
 * on as a positive code. Its own codes are negative.
 */
export function isSystemError(error: unknown): boolean {
  return nameOf(error) !== undefined
}

/** The error for a directory that cannot be used although it may be intact. */
export function unusableDirectory(directory: string, error: unknown): LocalError {
  const { code, text } = CURES[nameOf(error) ?? ''] ?? DISK
  const reason = error instanceof Error ? error.message : String(error)
  return new LocalError(
    code,
    `The data directory ${directory} cannot be used: ${reason}. Nothing in it was changed. ${text}`,
    { directory },
    error,
  )
}

function nameOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown }
  if (typeof code === 'number')
    return code > 0 ? (getSystemErrorMap().get(-code)?.[0] ?? `${code}`) : undefined
  if (typeof code === 'string' && typeof syscall === 'string') return code
  return nameOf(error.cause)
}
