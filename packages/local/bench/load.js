/** The load for every contestant: 10,000 items of 200 bytes, in batches of 25. */
export const ITEMS = 10_000
export const ITEM_BYTES = 200
const BATCH = 25

export const TABLE = {
  TableName: 'things',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
}

/** An item's size is the size of its names and values: `id` with six digits, and `data` with the rest. */
function item(number) {
  const id = String(number).padStart(6, '0')
  return { id: { S: id }, data: { S: 'x'.repeat(ITEM_BYTES - 'id'.length - id.length - 'data'.length) } }
}

export function* batches() {
  for (let from = 0; from < ITEMS; from += BATCH) {
    const requests = Array.from({ length: BATCH }, (_, at) => ({ PutRequest: { Item: item(from + at) } }))
    yield { RequestItems: { [TABLE.TableName]: requests } }
  }
}
