/**
 * A cache that processes share, such as Redis. It sits between each process's own cache and the shard map. Implement this interface
 * to use a cache of your choice.
 *
 * The cache stores small strings of a few hundred bytes each, and may lose any of them at any time. If it throws or times out, no
 * request fails: the process reads the shard map instead.
 *
 * The cache does not interpret the strings and does not have to order its writes. Each string contains the time at which it was
 * read from the shard map, and the process that gets it checks its age.
 */
export interface ShardMapCache {
  /**
   * Reads the string of a key.
   * @param table the name of the shard map
   * @param key identifies the logical key
   * @returns `undefined` if the cache has none
   */
  get(table: string, key: string): Promise<string | undefined>
  /** Stores the string of a key, for at most `ttlMilliseconds`. */
  set(table: string, key: string, value: string, ttlMilliseconds: number): Promise<void>
}
