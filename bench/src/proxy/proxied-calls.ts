import { itemAt } from '../cpu/canned-answer.js'

/** One kind of request. */
export interface ProxiedCall {
  readonly name: string
  /** The table behind the proxy. */
  readonly table: 'plain' | 'log_1' | 'log_8'
  readonly operation: string
  body(table: string, number: number): string
}

const KEYS = 20
const ITEMS = 2_000

/** Each item is written again after a while, so that reads find it and the tables do not grow. */
const item = (number: number) => itemAt(`/files/${number % KEYS}`, number % ITEMS)

const put = (TableName: string, number: number) => JSON.stringify({ TableName, Item: item(number) })

function get(TableName: string, number: number): string {
  const { path, at } = item(number)
  return JSON.stringify({ TableName, Key: { path, at } })
}

const query = (TableName: string, number: number) =>
  JSON.stringify({
    TableName,
    KeyConditionExpression: '#path = :path AND #at >= :from',
    ExpressionAttributeNames: { '#path': 'path', '#at': 'at' },
    ExpressionAttributeValues: { ':path': item(number).path, ':from': { N: '0' } },
    Limit: 20,
  })

const PUT = { operation: 'PutItem', body: put } as const
const GET = { operation: 'GetItem', body: get } as const
const QUERY = { operation: 'Query', body: query } as const

export const PROXIED_CALLS: readonly ProxiedCall[] = [
  { name: 'put, table not sharded', table: 'plain', ...PUT },
  { name: 'get, table not sharded', table: 'plain', ...GET },
  { name: 'query of 20 items, table not sharded', table: 'plain', ...QUERY },
  { name: 'put, 8 shards', table: 'log_8', ...PUT },
  { name: 'get, 8 shards', table: 'log_8', ...GET },
  { name: 'put, 1 shard', table: 'log_1', ...PUT },
  { name: 'query of 20 items, 1 shard', table: 'log_1', ...QUERY },
]
