import { loadLmdb, OWNER_ONLY_FILES } from './load-lmdb.js'

/** The claim's database stays empty, so it needs almost no space. */
const MAP_BYTES = 64 * 1024

/** LMDB prints its table of readers as a heading and one line per reader, which begins with the process id. */
const READER = /^\s*(\d+)\s/gm

/** A claim on a directory. It ends with the process, however the process ends. */
export interface SoleOpener {
  release(): Promise<void>
}

/**
 * Claims a directory for one opener, or returns the process id of the current opener.
 *
 * Node has no file locks, and a file that holds a process id outlives its process. LMDB protects its table of readers
 * with locks of the operating system: the first process to open the file finds the table empty, and entries of dead
 * processes are removed. So this function opens an empty database and registers a reader in it. If that reader is not
 * the only one, the directory is in use, perhaps by this process or in another container. When two openers come at
 * once, both may be rejected, but both are never accepted.
 *
 * @returns the claim, or the process id of the other opener.
 */
export function claim(file: string): SoleOpener | number {
  const database = loadLmdb().open({
    ...OWNER_ONLY_FILES,
    path: file,
    noSubdir: true,
    mapSize: MAP_BYTES,
    overlappingSync: false,
  })
  const reader = database.useReadTransaction()
  const release = async (): Promise<void> => {
    reader.done()
    await database.close()
  }
  database.readerCheck()
  const processes = [...String(database.readerList()).matchAll(READER)].map((match) => Number(match[1]))
  if (processes.length === 1) return { release }
  void release()
  return processes.find((id) => id !== process.pid) ?? process.pid
}
