/**
 * Stores bytes under names. Implement it for any store of objects; `directoryStore` and `s3Store` are two.
 *
 * A name consists of the characters `a-z`, `A-Z`, `0-9`, `-`, `_`, `.` and `/`, and has at most 300 of them. `put` must not resolve
 * before the bytes are durable, and a `get` after it must return them.
 */
export interface ObjectStore {
  /** Stores the bytes, or replaces those that are there. */
  put(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>
  /** @returns `undefined` if there is no such object */
  get(name: string, signal?: AbortSignal): Promise<Uint8Array | undefined>
  /** Does nothing if there is no such object. */
  delete(name: string, signal?: AbortSignal): Promise<void>
}
