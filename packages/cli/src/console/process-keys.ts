import type { ProcessKey } from '@isotherm/console'
import type { IsothermMethods } from 'isotherm'

/** As many as the map of an endpoint has rows. */
const TOP = 25

/** The hottest logical keys of a client of the library, by writes and by reads. */
export function processKeys(
  db: Pick<IsothermMethods, 'heat'>,
  table: string,
  index: string | undefined,
): { readonly writes: readonly ProcessKey[]; readonly reads: readonly ProcessKey[] } {
  const found = db.heat({ top: TOP }).find((heat) => heat.table === table && heat.index === index)
  return { writes: (found?.keys ?? []).map(keyOf), reads: (found?.reads?.keys ?? []).map(keyOf) }
}

type Hot = ReturnType<IsothermMethods['heat']>[number]['keys'][number]

/**
 * The client counts a request as offered when it begins, and as accepted when it is answered. So a request that waited for its
 * answer since before the last seconds, or since before the shard count changed, is accepted in a time in which it was not
 * offered. It was asked for all that time, so it counts as offered too.
 */
function keyOf({ logicalKey, shards, ...units }: Hot): ProcessKey {
  const [accepted, throttled] = [units.acceptedUnitsPerSecond, units.throttledUnitsPerSecond]
  return {
    key: typeof logicalKey === 'string' ? logicalKey : Buffer.from(logicalKey).toString('base64'),
    ...(shards === undefined ? {} : { shards }),
    offered: Math.max(units.offeredUnitsPerSecond, accepted, throttled),
    accepted,
    throttled,
  }
}
