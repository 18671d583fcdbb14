import { AdvisorError } from '../errors/advisor-error.js'
import { TrafficCounter, type TrafficProfile } from './traffic-profile.js'

type Json = { readonly [name: string]: unknown }

/** The traffic of one table in a recorded trace. */
export interface TraceTraffic {
  readonly table: string
  /** The names of the table's key attributes. */
  readonly key: { readonly partition: string; readonly sort?: string }
  readonly profile: TrafficProfile
}

type TableKey = TraceTraffic['key']

/**
 * The traffic of a table in a trace that `isotherm local --trace` has recorded.
 *
 * @param table which one; by default the one with the most requests
 * @throws AdvisorError `traffic.malformed`, `traffic.empty`
 */
export function readTrace(
  text: string,
  {
    table,
    rate,
    windowSeconds,
  }: { readonly table?: string; readonly rate: number; readonly windowSeconds: number },
): TraceTraffic {
  const lines = text.split('\n')
  const last = lines.findLastIndex((line) => line.trim() !== '')
  const requests = lines.flatMap((line, index) => (line.trim() === '' ? [] : [parsed(line, index, last)]))
  const [header] = requests
  if (header?.isotherm !== 'trace') {
    throw new AdvisorError(
      'traffic.malformed',
      'The file is no trace; record one with isotherm local --trace.',
    )
  }
  const keys = tableKeys(requests)
  const counters = new Map<string, { requests: number; counter: TrafficCounter }>()
  for (const { at, operation, request } of requests.slice(1)) {
    for (const each of touchedKeys(String(operation), objectOf(request), keys)) {
      const known = counters.get(each.table) ?? { requests: 0, counter: new TrafficCounter(windowSeconds) }
      counters.set(each.table, known)
      known.requests++
      known.counter.add({ at: Number(at) / 1_000, key: each.key, kind: each.kind, count: 1 })
    }
  }
  const busiest = [...counters].sort(([, a], [, b]) => b.requests - a.requests)[0]?.[0]
  const chosen = table ?? busiest
  const counted = chosen === undefined ? undefined : counters.get(chosen)
  const key = chosen === undefined ? undefined : keys.get(chosen)
  if (chosen === undefined || counted === undefined || key === undefined) {
    const names = [...counters.keys()].join(', ')
    throw new AdvisorError(
      'traffic.empty',
      `The trace has no requests by key${table === undefined ? '' : ` for the table ${table}`}${names === '' ? '' : `; it has them for ${names}`}.`,
    )
  }
  return { table: chosen, key, profile: counted.counter.profile(rate) }
}

function parsed(line: string, index: number, last: number): Json {
  try {
    return objectOf(JSON.parse(line))
  } catch (cause) {
    // A process that was killed leaves its last line incomplete.
    if (index === last && index > 0) return {}
    throw new AdvisorError('traffic.malformed', `Line ${index + 1} of the trace is no JSON.`, { cause })
  }
}

/** The key of each table, from the tables at the beginning and from those created later. */
function tableKeys(requests: readonly Json[]): ReadonlyMap<string, TableKey> {
  const [header = {}] = requests
  const made = [...listOf(header.setup).map(objectOf), ...requests.slice(1)]
  const keys = new Map<string, TableKey>()
  for (const { operation, request } of made) {
    if (operation !== 'CreateTable') continue
    const { TableName, KeySchema } = objectOf(request)
    const schema = listOf(KeySchema).map(objectOf)
    const nameOf = (type: string) => schema.find(({ KeyType }) => KeyType === type)?.AttributeName
    const [partition, sort] = [nameOf('HASH'), nameOf('RANGE')]
    if (typeof TableName !== 'string' || partition === undefined) continue
    keys.set(TableName, {
      partition: String(partition),
      ...(sort === undefined ? {} : { sort: String(sort) }),
    })
  }
  return keys
}

interface Touched {
  readonly table: string
  readonly key: string
  readonly kind: 'read' | 'write'
}

/** The keys of the items and queries of a request. Scans and PartiQL have none. */
function* touchedKeys(
  operation: string,
  request: Json,
  keys: ReadonlyMap<string, TableKey>,
): Generator<Touched> {
  const of = function* (table: unknown, item: unknown, kind: Touched['kind']): Generator<Touched> {
    const name = typeof table === 'string' ? table : ''
    const value = objectOf(item)[keys.get(name)?.partition ?? '']
    if (value !== undefined) yield { table: name, key: textOf(value), kind }
  }
  const { TableName, Item, Key } = request
  switch (operation) {
    case 'PutItem':
      yield* of(TableName, Item, 'write')
      break
    case 'UpdateItem':
    case 'DeleteItem':
      yield* of(TableName, Key, 'write')
      break
    case 'GetItem':
      yield* of(TableName, Key, 'read')
      break
    case 'Query': {
      const name = keys.get(String(TableName))?.partition
      const value = name === undefined || request.IndexName !== undefined ? undefined : equalTo(request, name)
      if (value !== undefined) yield { table: String(TableName), key: textOf(value), kind: 'read' }
      break
    }
    case 'BatchGetItem':
      for (const [table, wanted] of Object.entries(objectOf(request.RequestItems))) {
        for (const key of listOf(objectOf(wanted).Keys)) yield* of(table, key, 'read')
      }
      break
    case 'BatchWriteItem':
      for (const [table, writes] of Object.entries(objectOf(request.RequestItems))) {
        for (const write of listOf(writes).map(objectOf)) {
          yield* of(table, objectOf(write.PutRequest).Item ?? objectOf(write.DeleteRequest).Key, 'write')
        }
      }
      break
    case 'TransactWriteItems':
    case 'TransactGetItems':
      for (const action of listOf(request.TransactItems).map(objectOf)) {
        for (const [name, given] of Object.entries(action)) {
          const { TableName: table, Item: item, Key: key } = objectOf(given)
          yield* of(table, item ?? key, name === 'Get' || name === 'ConditionCheck' ? 'read' : 'write')
        }
      }
      break
  }
}

/** The value that a query compares its partition key with. */
function equalTo(request: Json, name: string): unknown {
  const names = objectOf(request.ExpressionAttributeNames)
  const values = objectOf(request.ExpressionAttributeValues)
  for (const [, left = '', right = ''] of String(request.KeyConditionExpression ?? '').matchAll(
    /([#\w.-]+)\s*=\s*(:\w+)/g,
  )) {
    if (left === name || names[left] === name) return values[right]
  }
  return undefined
}

function textOf(value: unknown): string {
  const [content] = Object.values(objectOf(value))
  return typeof content === 'string' ? content : JSON.stringify(value)
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
