import type { QueryCommandInput, QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import type { ShardReader } from '../attempts/shard-reader.js'
import type { QueriedTable } from './queried-table.js'
import type { PlainRoute } from './query-route.js'

/**
 * Queries an index without shards, whose items are already in one order. The cursor is the service's own, with the
 * table's stored key, because it must identify the exact item.
 */
export async function plainQuery(
  table: QueriedTable,
  route: PlainRoute,
  reader: ShardReader,
  input: QueryCommandInput,
): Promise<QueryCommandOutput> {
  const output = await reader.send(input)
  if (output.Items === undefined) return output
  return { ...output, Items: output.Items.map((item) => route.presented(table, item)) }
}
