import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { INDEXED_DESIGNS, IndexedTwins } from './indexed-twins.js'
import type { StoredItem } from './sharded-engine.js'

export const [SHADOW, SHARD_ATTRIBUTE] = INDEXED_DESIGNS as readonly [
  (typeof INDEXED_DESIGNS)[number],
  (typeof INDEXED_DESIGNS)[number],
]
export const RANDOM = { name: 'a random suffix', suffix: 'random', shard: 'shadow-key' } as const

export const keyOf = (file: number): StoredItem => ({ folder: { S: 'a' }, file: { N: String(file) } })
export const itemOf = (file: number, status = 'open'): StoredItem => ({
  ...keyOf(file),
  status: { S: status },
  at: { N: String(file) },
})
export const put = (file: number, status?: string) =>
  new PutItemCommand({ TableName: 'files', Item: itemOf(file, status) })
export const open = {
  KeyConditionExpression: '#status = :status',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: { ':status': { S: 'open' } },
}

export function update(UpdateExpression: string, values: Record<string, StoredItem[string]> = {}) {
  return new UpdateItemCommand({
    TableName: 'files',
    Key: keyOf(1),
    UpdateExpression,
    ExpressionAttributeNames: { '#status': 'status' },
    ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }),
  })
}

export async function withTwins(
  design: (typeof INDEXED_DESIGNS)[number],
  test: (twins: IndexedTwins) => Promise<void>,
): Promise<void> {
  const twins = new IndexedTwins(design)
  await twins.run(() => test(twins))
}
