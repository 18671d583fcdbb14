import type { HeatEvent } from '../api/heat-map.js'
import type { ShardChange, ShardedKey, ShardMap, TableCard } from '../api/shards.js'
import { sameChange } from '../events/same-change.js'
import { countChanges } from '../shard-map/count-changes.js'
import type { StoredCard } from '../shard-map/table-card.js'
import type { ShardHistory, StoredShardMap } from '../source/console-source.js'

/** More would be a long table to look at. */
const MAX_KEYS = 1_000

/** The shard map of a table as it is stored, with the reasons of changes that were reported to this console. */
export function shardMapOf(
  table: string,
  found: StoredShardMap | undefined,
  reported: readonly HeatEvent[],
): ShardMap {
  if (found === undefined) return { version: 1, table, found: 0, keys: [] }
  const { name: shardMap, card } = found
  const keys = found.keys.map((history) => shardedKey(history, reported))
  keys.sort((a, b) => b.shards - a.shards || (a.key < b.key ? -1 : 1))
  return {
    version: 1,
    table,
    shardMap,
    ...(card === undefined ? {} : { card: tableCard(card) }),
    found: keys.length,
    keys: keys.slice(0, MAX_KEYS),
  }
}

function shardedKey(history: ShardHistory, reported: readonly HeatEvent[]): ShardedKey {
  const { key, counts, shards, phase, to, reasons } = history
  const changes = countChanges(history, reasons).map((change): ShardChange => {
    const same = reported.find((event) => sameChange(event, { ...change, key }))
    if (same?.type !== 'scaled') return change
    const { reason, by } = same
    return { ...change, reason, ...(by === undefined ? {} : { by }) }
  })
  const since = changes.at(-1)?.at ?? counts[0]?.at
  return {
    key,
    shards,
    phase,
    ...(to === undefined ? {} : { to }),
    ...(since === undefined ? {} : { since }),
    changes: changes.reverse(),
  }
}

function tableCard({ initial, ...card }: StoredCard): TableCard {
  return { ...card, initial: initial.shards, phase: initial.phase }
}
