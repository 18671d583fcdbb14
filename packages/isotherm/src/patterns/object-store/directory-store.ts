import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
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
