const MULTIPLIER = 2862933555777941757n
const RANGE = 2 ** 31

/**
 * Returns the bucket of a hash among a number of buckets. Adding one bucket moves only the smallest possible share of hashes, and
 * moves them only to the new bucket.
 *
 * @param hash 64 bits
 * @param buckets 1 or more
 * @returns 0 to `buckets` - 1
 * Source: Lamping, Veach: A Fast, Minimal Memory, Consistent Hash Algorithm (2014), https://arxiv.org/abs/1406.2294
 */
export function jump(hash: bigint, buckets: number): number {
  let seed = hash
  let bucket = 0
  let next = 0
  while (next < buckets) {
    bucket = next
    seed = BigInt.asUintN(64, seed * MULTIPLIER + 1n)
    next = Math.floor((bucket + 1) * (RANGE / (Number(seed >> 33n) + 1)))
  }
  return bucket
}
