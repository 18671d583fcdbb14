import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import type { Client, Workload } from '../workloads/workload.js'
import type { Library } from '../world/library.js'
import { lightClient } from '../world/light-client.js'
import { Process } from '../world/process.js'
import { contentOf, type StoredCopies, type StoredItems } from '../world/stored-items.js'
import { isThrottle } from '../world/throttle.js'
import { untilTaken } from '../world/until-taken.js'
import { Violation } from '../world/violation.js'
import { shardMapOf, type WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import type { Settings } from './settings.js'

/** For requests of processes that are gone, which are on their way. */
const REST_MILLISECONDS = 60_000
const MAX_ATTEMPTS = 4
/** A rebuild that a throttle has ended is resumed as often. */
const MAX_REBUILDS = 50
/** A table of so many items is read as a whole before its card is made. */
const SURE_ITEMS = 100
/** Changes that were left are taken over within a minute, and then have phases of their own. */
const MINUTES = 6

/**
 * In the middle of the load all processes end and all shard maps are emptied. The next process must not take them for new ones, and after a
 * rebuild finds everything that was stored, at once and when all changes that were left are complete.
 */
export async function loseShardMaps(
  world: World,
  library: Library,
  { tables }: Workload,
  stored: StoredItems,
  settings: Settings,
): Promise<void> {
  for (const process of world.processes) process.crash()
  await world.scheduler.sleep(REST_MILLISECONDS + settings.faults.latestMilliseconds)
  const options = { name: 'after the loss', seed: settings.seed, rate: 1, calendarOffset: 0 }
  const owner = new Process(world.scheduler, options)
  const { clock, random } = owner
  const deliver = (operation: string, input: object) => world.lane.execute(operation, input)
  const plain = lightClient({ clock, random: owner.retryRandom, deliver }, MAX_ATTEMPTS)
  for (const table of tables) {
    const db = () =>
      library.isotherm(plain, { tables: { [table.name]: table.sharded }, clock, random }) as Client
    const expected = await itemsOf(world, table, stored)
    await empty(world, table)
    const hidden = expected.find(({ shards }) => Math.min(...shards) > settings.table.initialShards)
    if (hidden !== undefined && expected.length <= SURE_ITEMS) await requireRefusal(db(), table, hidden)
    let rebuilt: { readonly isRebuilt: boolean } | undefined
    for (let attempt = 0; rebuilt === undefined; attempt++) {
      try {
        rebuilt = await library.rebuildShardMap(plain, {
          table: table.name,
          options: table.sharded,
          unitsPerSecond: 10_000,
          clock,
          random,
        })
      } catch (error) {
        if (!isThrottle(error) || attempt === MAX_REBUILDS) throw error
      }
    }
    if (!rebuilt.isRebuilt) {
      throw new Violation('a lost shard map can be rebuilt', JSON.stringify(rebuilt))
    }
    const reader = db()
    for (let minute = 0; minute < MINUTES; minute++) {
      await requireAll(world, reader, table, expected)
      await world.scheduler.sleep(60_000)
    }
    await requireAll(world, db(), table, expected)
    reader.destroy()
  }
}

/** What the service has stored, by the writes that were followed. */
async function itemsOf(
  world: World,
  { name, partitionKey }: WorkloadTable,
  stored: StoredItems,
): Promise<readonly StoredCopies[]> {
  const keys = new Set<string>()
  let cursor: unknown
  do {
    const input = { TableName: name, ConsistentRead: true, ExclusiveStartKey: cursor }
    const { output } = await untilTaken(world, () => world.lane.execute('Scan', input))
    for (const item of output.Items as readonly Record<string, object>[]) {
      const physical = contentOf(item[partitionKey])
      keys.add(physical.replace(/_\d+$/, ''))
    }
    cursor = output.LastEvaluatedKey
  } while (cursor !== undefined)
  return [...keys].flatMap((key) => stored.of(name, key)).filter(({ shards }) => shards.size > 0)
}

async function empty(world: World, table: WorkloadTable): Promise<void> {
  const TableName = shardMapOf(table)
  const { output } = await untilTaken(world, () => world.lane.execute('Scan', { TableName }))
  for (const item of output.Items as readonly Record<string, object>[]) {
    const Key = { [table.partitionKey]: item[table.partitionKey] }
    await untilTaken(world, () => world.lane.execute('DeleteItem', { TableName, Key }))
  }
}

function queryOf(
  { name, partitionKey }: WorkloadTable,
  key: string,
  start: object | undefined,
): QueryCommand {
  return new QueryCommand({
    TableName: name,
    KeyConditionExpression: '#key = :key',
    ExpressionAttributeNames: { '#key': partitionKey },
    ExpressionAttributeValues: { ':key': { S: key } },
    ConsistentRead: true,
    ExclusiveStartKey: start as QueryCommandOutput['LastEvaluatedKey'],
  })
}

/** @throws Violation */
async function requireRefusal(db: Client, table: WorkloadTable, { logicalKey }: StoredCopies): Promise<void> {
  try {
    const { Count } = await db.send(queryOf(table, logicalKey, undefined))
    const seen = `a query of ${logicalKey} returned ${Count} items from an emptied shard map`
    throw new Violation('a lost shard map is not taken for a new one', seen, [logicalKey])
  } catch (error) {
    if (error instanceof Violation) throw error
  } finally {
    db.destroy()
  }
}

/** @throws Violation */
async function requireAll(
  world: World,
  db: Client,
  table: WorkloadTable,
  expected: readonly StoredCopies[],
): Promise<void> {
  for (const key of new Set(expected.map(({ logicalKey }) => logicalKey))) {
    const items = expected.filter(({ logicalKey }) => logicalKey === key)
    const found: string[] = []
    let start: object | undefined
    do {
      const from = start
      const page = await untilTaken(world, () => db.send(queryOf(table, key, from)))
      for (const item of page.Items ?? []) found.push(contentOf(item[table.sortKey]))
      start = page.LastEvaluatedKey
    } while (start !== undefined)
    const sorts = new Set(found)
    const missing = items.filter(({ sort }) => !sorts.has(sort))
    const isOnce = items.some(({ shards }) => shards.size > 1) || found.length === items.length
    if (missing.length === 0 && sorts.size === items.length && isOnce) continue
    const seen = `${key} has ${items.length} items, and ${found.length} were found without ${missing.map(({ sort }) => sort).join(', ') || 'any missing'}`
    throw new Violation('after a rebuild everything is found', seen, [key])
  }
}
