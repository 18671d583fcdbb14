import type { DrawnQuery } from './searched-texts.js'

/** Another way to search the same contacts, in this process. */
export interface Peer {
  readonly name: string
  readonly loadSeconds: number
  readonly bytes: number
  /** Numbers of up to 100 contacts, newest first. */
  search(query: DrawnQuery): Promise<readonly number[]>
  close(): void
}
