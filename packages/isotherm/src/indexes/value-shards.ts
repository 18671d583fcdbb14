import { GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import type { KeyValue } from '@isotherm/semantics'
import { IsothermError } from '../errors/isotherm-error.js'
import { MAX_SHARDS } from '../options/shard-limits.js'
import { fromAttributes, readableShards, rebuildCommand } from '../protocol/index.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import type { CheckedTable } from './checked-table.js'
import type { IndexCounts } from './index-counts.js'
import { shardMapKeyOf } from './index-key.js'
import type { ShardedIndex } from './index-options.js'
import type { ShadowKey } from './shadow-key.js'

interface ValueShard {
  readonly value: KeyValue
  readonly shard: number
}

/** Requires that a shard of a value has no entry. @throws IsothermError `items.elsewhere` */
export async function requireEmpty(
  { client, options }: CheckedTable,
  shadow: ShadowKey,
  counts: IndexCounts | undefined,
  { value, shard }: ValueShard,
): Promise<void> {
  if (shard > MAX_SHARDS) return
  const { index } = shadow
  const key = Object.entries(shadow.attributes(value, shard))
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: options.name,
      IndexName: index.name,
      Limit: 1,
      KeyConditionExpression: key.map((_, at) => `#key${at} = :key${at}`).join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(key.map(([name], at) => [`#key${at}`, name])),
      ExpressionAttributeValues: Object.fromEntries(key.map(([, each], at) => [`:key${at}`, each])),
    }),
  )
  if (Items.length === 0) return
  // Another process may have added the shard meanwhile.
  const now = await counts?.viewNow(counts.keyOf(shadow.storedValue(value)))
  if (now !== undefined && now.readable >= shard) return
  throw elsewhere(options, index, { value, shard, readable: now?.readable ?? shard - 1 })
}

function elsewhere(
  { name, shardMap, suffix }: CheckedTable['options'],
  index: ShardedIndex,
  { value, shard, readable }: ValueShard & { readonly readable: number },
): IsothermError<'items.elsewhere'> {
  const stored = plainValue(value)
  // A table that is not sharded itself has no rebuild.
  const restore =
    suffix === 'none'
      ? 'create it with ensureShardMap if it is missing, and run backfillIndexes'
      : `rebuild it with: ${rebuildCommand(name)}`
  const [said, cure] =
    index.shards.kind === 'fixed'
      ? [`the options say fixedShards(${readable})`, 'Set the count as it was.']
      : [
          `the value has ${readable} in the shard map ${shardMap}`,
          `If the index had fixedShards(n), set initial: n. If the shard map was lost, emptied or restored, ${restore}.`,
        ]
  return new IsothermError(
    'items.elsewhere',
    `The index ${index.name} of ${name} has an entry of ${JSON.stringify(stored)} in shard ${shard}, and ${said}. The entry would not be found. ${cure}`,
    { table: name, storedKey: stored, shard, shards: readable },
  )
}

/**
 * Requires of a value that this process writes to a fixed number of shards that other processes read all of them. If the value has a
 * count in the shard map, processes with `dynamicShards` read as many shards as that says.
 *
 * @throws IsothermError `items.elsewhere`
 */
export async function requireReadByAll(
  { options }: CheckedTable,
  shardMapClient: PhysicalClient,
  { index, storedValue }: { readonly index: ShardedIndex; readonly storedValue: KeyValue },
): Promise<void> {
  const { name, shardMap, partitionKey } = options
  const { shards, shard } = index
  if (shards.kind !== 'fixed') return
  const Key = { [partitionKey]: { ...shardMapKeyOf(name, shard.attribute, storedValue) } }
  const { Item } = await shardMapClient.send(
    new GetItemCommand({ TableName: shardMap, Key, ConsistentRead: true }),
  )
  if (Item === undefined) return
  const [read, written] = [readableShards(fromAttributes(shardMap, Item)), shards.count()]
  if (read >= written) return
  const stored = plainValue(storedValue)
  throw new IsothermError(
    'items.elsewhere',
    `The value ${JSON.stringify(stored)} of the index ${index.name} of ${name} has ${read} in the shard map ${shardMap}, and the options say fixedShards(${written}). ` +
      'Processes with dynamicShards would not find entries of this process in the higher shards. Use dynamicShards in this process. ' +
      `To go back to fixedShards, first set the count of each value to at least ${written}: db.shards('${name}', value, { index: '${index.name}' }).set(${written}).`,
    { table: name, storedKey: stored, shard: written, shards: read },
  )
}

function plainValue(value: KeyValue): string | Uint8Array {
  return 'S' in value ? value.S : 'N' in value ? value.N : value.B
}
