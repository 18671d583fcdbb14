/** The shards of each key of a table with this many shards, in the table's shard map. */
const SHARDS_OF_TABLE = /^log_(\d+)/

/** A key's name says how many items a query of it finds: `items-20`, or `items-3_5` in shard 5. */
const KEY = /"(items-(\d+)(?:_(\d+))?)"/

/** The sort keys of different shards alternate, as those of a log do. */
const SHARDS_APART = 1_000

const answers = new Map<string, string>()

/**
 * The body with which DynamoDB would answer a request, computed once for each key. The figures would otherwise depend on
 * the speed of a server that shares the processors with the client.
 */
export function cannedAnswer(operation: string, body: string): string {
  const table = /"TableName":"([^"]+)"/.exec(body)?.[1] ?? ''
  const [, key = '', items = '1', shard = '1'] = KEY.exec(body) ?? []
  const name = [operation, table, key].join('/')
  const known = answers.get(name)
  if (known !== undefined) return known
  const answer = JSON.stringify(answerTo(operation, table, key, Number(items), Number(shard)))
  answers.set(name, answer)
  return answer
}

function answerTo(operation: string, table: string, key: string, items: number, shard: number): object {
  // The first request for a shard map is for the table's card, which does not name the items of a key.
  if (table.endsWith('_shard_map') && key === '') return operation === 'Scan' ? { Items: [{}] } : {}
  if (table.endsWith('_shard_map')) return { Item: countOf(table, key) }
  if (operation === 'GetItem') return { Item: itemAt(key, 1) }
  if (operation === 'BatchWriteItem') return { UnprocessedItems: {} }
  if (operation !== 'Query') return {}
  const Items = Array.from({ length: items }, (_, at) => itemAt(key, at * SHARDS_APART + shard))
  return { Items, Count: items, ScannedCount: items }
}

function countOf(table: string, key: string): object {
  const count = SHARDS_OF_TABLE.exec(table)?.[1] ?? '1'
  return {
    path: { S: key },
    number_of_shards: { N: count },
    last_updated: { N: '1700000000' },
    shard_history: { SS: [`1700000000:${count}`] },
  }
}

/** About 300 bytes: a line of an access log. */
export function itemAt(path: string, at: number) {
  return {
    path: { S: path },
    at: { N: String(at) },
    method: { S: 'GET' },
    status: { N: '200' },
    bytes: { N: '48213' },
    client: { S: '203.0.113.77' },
    agent: { S: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' },
    referrer: { S: 'https://www.example.com/articles/2026/11/write-sharding' },
    trace: { S: '1-6921f0aa-5759e988bd862e3fe1be46a9' },
    cached: { BOOL: true },
  }
}
