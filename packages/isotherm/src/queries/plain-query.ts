import type { QueryCommandInput, QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { presentedStoredItem } from '../table/presented-stored-item.js'
import type { TableRuntime } from '../table/table-runtime.js'
import type { ShardReader } from './shard-reader.js'

/**
 * A query of an index whose own keys are not sharded: its items already stand together, in order. The cursor is the
 * service's own, with the table's key as it is stored: it has to name the very item.
 */
export async function plainQuery(
  table: TableRuntime,
  reader: ShardReader,
  input: QueryCommandInput,
): Promise<QueryCommandOutput> {
  const output = await reader.send(input)
  if (output.Items === undefined) return output
  return { ...output, Items: output.Items.map((item) => presentedStoredItem(table, item)) }
}
