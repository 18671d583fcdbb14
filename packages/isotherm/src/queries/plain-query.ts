import type { QueryCommandInput, QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import type { ShardReader } from '../attempts/shard-reader.js'
import type { QueriedTable } from './queried-table.js'
import type { PlainRoute } from './query-route.js'

/**
 * A query of an index whose own keys are not sharded: its items already stand together, in order. The cursor is the
 * service's own, with the table's key as it is stored: it has to name the very item.
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
