import { type FileHandle, mkdir, open, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { invalidOption, requireText } from '../../options/check.js'
import { flushNames } from './flush-names.js'
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
      const { file, created } = await opened(unfinished)
      try {
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
        if (codeOf(error) === 'ENOENT') return undefined
        throw error
      }
    },
    async delete(name) {
      const path = pathOf(name)
      await rm(path, { force: true })
      // The pieces of an item have a directory of their own. It has others, or is gone, or stays: that is no reason to fail.
      if (dirname(path) !== root) await rmdir(dirname(path)).catch(() => {})
    },
  }
}

/** Others may delete the last object of a directory, and the directory with it, so often while it is to get a new one. */
const MAX_TRIES = 10

/** Opens a new file in a directory, which is created if it has to. */
async function opened(
  path: string,
): Promise<{ readonly file: FileHandle; readonly created: string | undefined }> {
  for (let tried = 1; ; tried++) {
    try {
      const created = await mkdir(dirname(path), { recursive: true })
      return { file: await open(path, 'w'), created }
    } catch (error) {
      if (tried === MAX_TRIES || codeOf(error) !== 'ENOENT') throw error
    }
  }
}

function codeOf(error: unknown): unknown {
  return Object(error).code
}
