/**
 * A cache that processes share, between their own caches and the shard map: Redis and the like. It holds small texts, a few
 * hundred bytes each, and may lose any of them at any time. What it throws, or does not answer in time, fails no request.
 *
 * It need not know what the texts mean, nor order its writes: each text carries the time at which it was read from the
 * table, and whoever gets it judges its age.
 */
export interface ShardMapCache {
  /** @returns `undefined` where it has none */
  get(table: string, key: string): Promise<string | undefined>
  /** Keeps the text, at most for the time given. */
  set(table: string, key: string, value: string, ttlMilliseconds: number): Promise<void>
}
