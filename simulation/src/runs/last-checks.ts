import type { ReportedCopies } from '../invariants/reported-copies.js'
import type { ShardMapWatch } from '../invariants/shard-map-watch.js'
import type { Workload } from '../workloads/workload.js'
import { type Attributes, contentOf, type StoredCopies, type StoredItems } from '../world/stored-items.js'
import { untilTaken } from '../world/until-taken.js'
import { Violation } from '../world/violation.js'
import type { World } from '../world/world.js'
import type { Settings } from './settings.js'

/** By the names of their tables. */
export type Watches = ReadonlyMap<string, ShardMapWatch>

/** For requests that are still on their way when nobody sends any more. */
export const LAST_MILLISECONDS = 1_000

/** How long everything may take to come to rest when the load has ended: phases, drains, and left changes that others take over. */
const REST_MILLISECONDS = 600_000

/** What moving an item takes, for each of its write units: two in a transaction for it, two for its deletion, one for its mark. */
const MOVE_PRICE = 5

/** Longer where all that was written may have to be moved, at the rate of a drain. */
export function restMilliseconds({ furthestAhead }: World, settings: Settings): number {
  const { runMilliseconds, writesPerSecond, itemBytes, table } = settings
  const units = writesPerSecond * MOVE_PRICE * Math.ceil((itemBytes + 100) / 1_024)
  // What a process has written whose calendar is ahead looks new for so long, so that nobody takes it over.
  return REST_MILLISECONDS + (runMilliseconds * units) / table.drainUnitsPerSecond + furthestAhead
}

export function isAtRest(watches: Watches): boolean {
  return [...watches.values()].every((watch) =>
    [...watch.keys()].every((key) => watch.stateOf(key)?.changingSince === undefined),
  )
}

/** Everything has come to rest: no change is under way any more, and no reader asks where nothing can be. */
export function checkRest(
  world: World,
  { stored, copies }: { readonly stored: StoredItems; readonly copies: ReportedCopies },
  watches: Watches,
  settings: Settings,
): void {
  const rest = restMilliseconds(world, settings)
  for (const [table, watch] of watches) {
    for (const key of watch.keys()) {
      const since = watch.stateOf(key)?.changingSince ?? world.now
      if (world.now - since < rest || hasNoRoom(stored.of(table, key), watch.stateOf(key)?.shards ?? 0))
        continue
      if (settings.faults.beyondBound > 0 && copies.requireReported(table, key, stored.of(table, key)))
        continue
      const seen = `that of ${key} has not after ${Math.round((world.now - since) / 1_000)} s`
      world.fail(new Violation('changes come to their end', seen, [key]))
    }
  }
}

/** Whether a retired shard has an item that is in every shard in use too: then people have to say which one it is. */
function hasNoRoom(items: readonly StoredCopies[], shardsInUse: number): boolean {
  return items.some(({ shards }) => {
    const inUse = [...shards].filter((shard) => shard <= shardsInUse).length
    return inUse === shardsInUse && shards.size > inUse
  })
}

/** What was followed write by write is what the service stores: else the checks of it have checked something else. */
export async function checkStored(world: World, { tables }: Workload, stored: StoredItems): Promise<void> {
  // A key that has become quiet may be moving its items still, from pages that were scanned to others.
  for (const process of world.processes) process.crash()
  await world.scheduler.sleep(LAST_MILLISECONDS)
  for (const { name, partitionKey, sortKey } of tables) {
    const followed = stored.namesIn(name)
    let cursor: unknown
    let found = 0
    do {
      const input = { TableName: name, ConsistentRead: true, ExclusiveStartKey: cursor }
      const { output: page } = await untilTaken(world, () => world.lane.execute('Scan', input))
      for (const item of page.Items as readonly Attributes[]) {
        found += 1
        const key = `${contentOf(item[partitionKey])} ${contentOf(item[sortKey])}`
        if (!followed.has(key)) throw new Error(`${name} has an item ${key} that nobody was seen to write.`)
      }
      cursor = page.LastEvaluatedKey
    } while (cursor !== undefined)
    if (found !== followed.size) throw new Error(`${name} has ${found} items and not ${followed.size}.`)
  }
}
