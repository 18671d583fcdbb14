import { loadLmdb } from './load-lmdb.js'

/** An empty database needs next to none. */
const MAP_BYTES = 64 * 1024

/** The table of readers holds one line for each, beginning with the process's id, below a heading. */
const READER = /^\s*(\d+)\s/gm

/** A claim on a directory that ends with the process, however it ends. */
export interface SoleOpener {
  release(): Promise<void>
}

/**
 * Claims a directory for one opener, or tells the process that has it.
 *
 * Node has no file locks, and a file with a process id in it outlives its process. LMDB's table of readers is kept by
 * locks of the operating system: whoever opens the file first finds the table empty, and entries of dead processes are
 * removed. So an empty database is opened here, a reader is registered in it, and if it is not the only one, somebody
 * else, perhaps in this process or in another container, has the directory. Two that come at once may both be refused;
 * they are never both let in.
 *
 * @returns the claim, or the process id of the other opener.
 */
export function claim(file: string): SoleOpener | number {
  const database = loadLmdb().open({ path: file, noSubdir: true, mapSize: MAP_BYTES, overlappingSync: false })
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
