import type { DrawnQuery } from './searched-texts.js'

/** Another way to search the same contacts, in this process. */
export interface Peer {
  readonly name: string
  readonly loadSeconds: number
  /** What the index takes where it is stored, with the texts that are stored with it. */
  readonly indexBytes: number
  /** What the process holds more with the contacts loaded. */
  readonly memoryBytes: number
  /** Numbers of up to 100 contacts, newest first. */
  search(query: DrawnQuery): Promise<readonly number[]>
  close(): void
}
