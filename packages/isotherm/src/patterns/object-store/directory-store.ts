import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { invalidOption, requireText } from '../../options/check.js'
import type { ObjectStore } from './object-store.js'

/**
 * Creates an object store in a directory: one file for each object. It needs nothing installed, and several processes may share the
 * directory.
 *
 * A file is written under another name, flushed to the disk, and renamed, and then its new name is flushed. So a reader never sees half of
 * it, whenever the process ends, and a power failure does not lose an object that was put.
 *
 * @param folder its path; it is created when the first object is stored
 * @throws IsothermError `options.invalid` if `folder` is empty
 * @example const store = directoryStore('/var/lib/documents')
 */
export function directoryStore(folder: string): ObjectStore {
  const root = resolve(requireText('directoryStore: the folder', folder, 'the path of a directory'))
  const pathOf = (name: string) => {
    const path = join(root, name)
    if (name !== '' && path.startsWith(root + sep)) return path
    throw invalidOption('directoryStore: the name of an object', name, `a path inside ${root}`)
  }
  let written = 0
  return {
    async put(name, bytes, signal) {
      const path = pathOf(name)
      const unfinished = `${path}.${process.pid}-${++written}.tmp`
      const created = await mkdir(dirname(path), { recursive: true })
      try {
        const file = await open(unfinished, 'w')
        try {
          await file.writeFile(bytes, signal && { signal })
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(unfinished, path)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
      const outermost = created !== undefined && root.startsWith(created) ? dirname(created) : root
      await flushNames(dirname(path), outermost)
    },
    async get(name, signal) {
      try {
        return await readFile(pathOf(name), signal && { signal })
      } catch (error) {
        if ((error as { readonly code?: string }).code === 'ENOENT') return undefined
        throw error
      }
    },
    async delete(name) {
      await rm(pathOf(name), { force: true })
    },
  }
}

/**
 * Flushes the names of the files in a directory, and in those around it up to the outermost one. The others may be new as well, created by this
 * process or by one that ended before it could flush them.
 */
async function flushNames(innermost: string, outermost: string): Promise<void> {
  // Windows cannot open a directory. Its file system journals file names itself.
  if (process.platform === 'win32') return
  for (let at = innermost; ; at = dirname(at)) {
    const directory = await open(at, 'r')
    try {
      await directory.sync()
    } catch (error) {
      // Some network file systems do not flush directories.
      if ((error as { readonly code?: string }).code !== 'EINVAL') throw error
    } finally {
      await directory.close()
    }
    if (at === outermost) return
  }
}
