import type { HeatEvent } from '../api/heat-map.js'
import type { ShardedKey, ShardMap } from '../api/shards.js'
import type { ConsoleSource, ShardHistory } from '../source/console-source.js'

/** More would be a long table to look at. */
const MAX_KEYS = 1_000
/** A history has whole seconds, and a process that emits an event is not at the time of its write. */
const SAME_MILLISECONDS = 5_000

/** The shard map of a table as it is stored, with the reasons of changes that were reported to this console. */
export async function shardMapOf(
  source: ConsoleSource,
  region: string,
  table: string,
  reported: readonly HeatEvent[],
): Promise<ShardMap> {
  const found = (await source.tables()).find((each) => each.region === region && each.name === table)
  if (found?.shardMap === undefined) return { version: 1, table, found: 0, keys: [] }
  const histories = await source.shardHistories(region, table)
  const keys = histories.map((history) => shardedKey(history, reported))
  keys.sort((a, b) => b.shards - a.shards || (a.key < b.key ? -1 : 1))
  const { shardMap } = found
  return { version: 1, table, shardMap, found: keys.length, keys: keys.slice(0, MAX_KEYS) }
}

function shardedKey(
  { key, counts, shards, phase, to }: ShardHistory,
  reported: readonly HeatEvent[],
): ShardedKey {
  const changes = counts.flatMap(({ at, count }, index) => {
    const from = counts[index - 1]?.count
    if (from === undefined || from === count) return []
    const reason = reasonOf(reported, key, at, count)
    return [{ at, from, to: count, ...(reason === undefined ? {} : { reason }) }]
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

function reasonOf(reported: readonly HeatEvent[], key: string, at: number, to: number): string | undefined {
  const same = reported.find(
    (event) =>
      event.type === 'scaled' &&
      event.key === key &&
      event.to === to &&
      Math.abs(event.at - at) <= SAME_MILLISECONDS,
  )
  return same?.type === 'scaled' ? same.reason : undefined
}
