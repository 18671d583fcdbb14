import type { AttributeValue, DynamoDBClient, TableDescription } from '@aws-sdk/client-dynamodb'
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
      // It has the initial count that is on the card now, and not the one that its item repeats.
      if (attributes.initial_as_of !== undefined) continue
      keys.push({ key: text.shown, ...storedState(attributes), reasons: storedReasons(attributes) })
    }
    read += ScannedCount
    if (read >= MAX_ITEMS) break
  }
  const isWhole = read < MAX_ITEMS
  if (!isWhole) card ??= await cardOf(client, name, Table)
  return { name, ...(card === undefined ? {} : { card }), keys, isWhole }
}

/** The card of a shard map that was read in part. Without it the keys of the table would have the usual delimiter. */
async function cardOf(
  client: DynamoDBClient,
  TableName: string,
  { KeySchema = [], AttributeDefinitions = [] }: TableDescription = {},
): Promise<StoredCard | undefined> {
  const { GetItemCommand } = await import('@aws-sdk/client-dynamodb')
  const key = KeySchema[0]?.AttributeName ?? ''
  const isBinary = AttributeDefinitions.some(
    ({ AttributeName, AttributeType }) => AttributeName === key && AttributeType === 'B',
  )
  const value = isBinary ? { B: Buffer.from(CARD_KEY) } : { S: CARD_KEY }
  // Those who may scan need not have this permission, and the keys are of use without the card.
  const { Item } = await client
    .send(new GetItemCommand({ TableName, Key: { [key]: value } }))
    .catch((): { readonly Item?: never } => ({}))
  return Item === undefined ? undefined : storedCard(Item as StoredAttributes)
}

/** A key as text: bytes are shown in base64, and the library's own keys are the bytes of their text. */
function keyText(key: AttributeValue | undefined): { shown: string; utf8: string } | undefined {
  if (key?.S !== undefined) return { shown: key.S, utf8: key.S }
  if (key?.B === undefined) return undefined
  const bytes = Buffer.from(key.B)
  return { shown: bytes.toString('base64'), utf8: bytes.toString('utf8') }
}
