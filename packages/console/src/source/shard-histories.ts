import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { ShardHistory } from './console-source.js'

/** A console shows the changes of a few keys. Reading more of a large shard map costs too much capacity. */
const MAX_ITEMS = 5_000

/** Items of the shard map that are not the state of a key begin with this text. */
const OWN_KEYS = 'isotherm:'

const ENTRY = /^(\d+):([1-9]\d*)$/

/** The histories in a shard map, by the stored format. */
export async function readShardHistories(
  client: DynamoDBClient,
  shardMap: string,
): Promise<readonly ShardHistory[]> {
  // Loaded on demand, as the engine itself does.
  const { DescribeTableCommand, paginateScan } = await import('@aws-sdk/client-dynamodb')
  const { Table } = await client.send(new DescribeTableCommand({ TableName: shardMap }))
  const name = Table?.KeySchema?.[0]?.AttributeName ?? ''
  const histories: ShardHistory[] = []
  let read = 0
  for await (const { Items = [], ScannedCount = 0 } of paginateScan(
    { client },
    { TableName: shardMap, Limit: 500 },
  )) {
    for (const item of Items) {
      const key = item[name]?.S
      const counts = (item.shard_history?.SS ?? []).flatMap(countOf).sort((a, b) => a.at - b.at)
      if (key !== undefined && !key.startsWith(OWN_KEYS)) histories.push({ key, ...stateOf(item), counts })
    }
    read += ScannedCount
    if (read >= MAX_ITEMS) break
  }
  return histories
}

/** Items that an application wrote itself need not have all members. */
function stateOf({ number_of_shards, to_shards, phase }: Readonly<Record<string, AttributeValue>>) {
  return {
    shards: Number(number_of_shards?.N ?? 1),
    phase: phase?.S ?? 'settled',
    ...(to_shards?.N === undefined ? {} : { to: Number(to_shards.N) }),
  }
}

function countOf(entry: string): ShardHistory['counts'] {
  const [, seconds, count] = ENTRY.exec(entry) ?? []
  return seconds === undefined ? [] : [{ at: Number(seconds) * 1_000, count: Number(count) }]
}
