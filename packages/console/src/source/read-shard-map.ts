import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { CARD_KEY, OWN_KEYS, type StoredAttributes } from '../shard-map/stored-attributes.js'
import { storedReasons, storedState } from '../shard-map/stored-state.js'
import { type StoredCard, storedCard } from '../shard-map/table-card.js'
import type { ShardHistory, StoredShardMap } from './console-source.js'

/** A console shows the changes of a few keys. Reading more of a large shard map costs too much capacity. */
const MAX_ITEMS = 5_000

/** Reads a shard map, by the stored format. */
export async function readShardMap(client: DynamoDBClient, name: string): Promise<StoredShardMap> {
  // Loaded on demand, as the engine itself does.
  const { DescribeTableCommand, paginateScan } = await import('@aws-sdk/client-dynamodb')
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }))
  const key = Table?.KeySchema?.[0]?.AttributeName ?? ''
  const keys: ShardHistory[] = []
  let card: StoredCard | undefined
  let read = 0
  for await (const { Items = [], ScannedCount = 0 } of paginateScan(
    { client },
    { TableName: name, Limit: 500 },
  )) {
    for (const item of Items) {
      const text = keyText(item[key])
      const attributes = item as StoredAttributes
      if (text?.utf8 === CARD_KEY) card = storedCard(attributes)
      if (text === undefined || text.utf8.startsWith(OWN_KEYS)) continue
      keys.push({ key: text.shown, ...storedState(attributes), reasons: storedReasons(attributes) })
    }
    read += ScannedCount
    if (read >= MAX_ITEMS) break
  }
  return { name, ...(card === undefined ? {} : { card }), keys, isWhole: read < MAX_ITEMS }
}

/** A key as text: bytes are shown in base64, and the library's own keys are the bytes of their text. */
function keyText(key: AttributeValue | undefined): { shown: string; utf8: string } | undefined {
  if (key?.S !== undefined) return { shown: key.S, utf8: key.S }
  if (key?.B === undefined) return undefined
  const bytes = Buffer.from(key.B)
  return { shown: bytes.toString('base64'), utf8: bytes.toString('utf8') }
}
