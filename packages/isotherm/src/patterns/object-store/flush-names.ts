import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Opens a directory for reading. */
type OpenDirectory = (path: string) => Promise<FileHandle>

/** The process may write to the directory, but not list it. */
const NOT_OPENED: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM'])

/** Some network file systems, and some that run in user space, do not flush directories. */
const NOT_FLUSHED: ReadonlySet<unknown> = new Set(['EINVAL', 'ENOTSUP', 'EPERM', 'EBADF'])

/**
 * Flushes the names of the files in a directory, and in those around it up to the outermost one. The others may be new as well, created by this
 * process or by one that ended before it could flush them.
 *
 * It is called for objects that are stored, so a directory that cannot be flushed is no reason to fail.
 *
 * @param openDirectory for tests. The superuser, as whom they may run, is never refused
 */
export async function flushNames(
  innermost: string,
  outermost: string,
  openDirectory: OpenDirectory = open,
): Promise<void> {
  // Windows cannot open a directory. Its file system journals file names itself.
  if (process.platform === 'win32') return
  for (let at = innermost; ; at = dirname(at)) {
    const directory = await openUnlessRefused(openDirectory, at)
    try {
      await directory?.sync()
    } catch (error) {
      if (!NOT_FLUSHED.has(codeOf(error))) throw error
    } finally {
      await directory?.close()
    }
    if (at === outermost) return
  }
}

async function openUnlessRefused(
  openDirectory: OpenDirectory,
  path: string,
): Promise<FileHandle | undefined> {
  try {
    return await openDirectory(path)
  } catch (error) {
    if (NOT_OPENED.has(codeOf(error))) return undefined
    throw error
  }
}

function codeOf(error: unknown): unknown {
  return Object(error).code
}
