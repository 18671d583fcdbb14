import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { post, type Served, serveProxy } from '../proxy.fixture.js'

const numRuns = inject('trials') === 'many' ? 4_000 : 300

const key = { doc: { S: '/a' }, seq: { N: '1' } }
const item = {
  ...key,
  list: { L: [{ M: { set: { SS: ['x'] } } }, { B: 'AQI=' }] },
  n: { N: '5' },
  flag: { BOOL: true },
}

/** A request of each operation of a sharded table, together with another one where that is possible. */
const REQUESTS: readonly (readonly [string, object])[] = [
  [
    'PutItem',
    {
      TableName: 'log',
      Item: item,
      ConditionExpression: 'attribute_exists(doc) OR n < :v',
      ExpressionAttributeValues: { ':v': { N: '3' } },
      ReturnValues: 'ALL_OLD',
    },
  ],
  [
    'GetItem',
    { TableName: 'log', Key: key, ProjectionExpression: '#n', ExpressionAttributeNames: { '#n': 'n' } },
  ],
  [
    'UpdateItem',
    {
      TableName: 'log',
      Key: key,
      UpdateExpression: 'SET n = :v REMOVE list[1]',
      ExpressionAttributeValues: { ':v': { N: '3' } },
      ReturnValues: 'UPDATED_NEW',
    },
  ],
  [
    'UpdateItem',
    {
      TableName: 'log',
      Key: key,
      AttributeUpdates: { n: { Action: 'ADD', Value: { N: '1' } } },
      Expected: { n: { ComparisonOperator: 'IN', AttributeValueList: [{ N: '5' }] } },
    },
  ],
  ['DeleteItem', { TableName: 'log', Key: key, ReturnValues: 'ALL_OLD' }],
  [
    'Query',
    {
      TableName: 'log',
      KeyConditionExpression: 'doc = :d AND seq > :s',
      ExpressionAttributeValues: { ':d': { S: '/a' }, ':s': { N: '0' } },
      ExclusiveStartKey: { doc: { S: '/a_1' }, seq: { N: '0' } },
      Limit: 2,
    },
  ],
  [
    'Query',
    {
      TableName: 'log',
      KeyConditions: { doc: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: '/a' }] } },
    },
  ],
  [
    'Scan',
    { TableName: 'log', Segment: 0, TotalSegments: 2, Limit: 3, FilterExpression: 'attribute_exists(n)' },
  ],
  [
    'BatchWriteItem',
    { RequestItems: { log: [{ PutRequest: { Item: item } }], plain: [{ DeleteRequest: { Key: key } }] } },
  ],
  ['BatchGetItem', { RequestItems: { log: { Keys: [key], ConsistentRead: true }, plain: { Keys: [key] } } }],
  [
    'TransactWriteItems',
    {
      TransactItems: [
        { Put: { TableName: 'log', Item: item } },
        { ConditionCheck: { TableName: 'plain', Key: key, ConditionExpression: 'attribute_not_exists(x)' } },
      ],
      ClientRequestToken: 'token',
    },
  ],
  ['TransactGetItems', { TransactItems: [{ Get: { TableName: 'log', Key: key } }] }],
  ['ExecuteStatement', { Statement: 'SELECT * FROM log', Parameters: [{ S: 'x' }] }],
]

const nested = (levels: number) => JSON.parse(`${'{"L":['.repeat(levels)}${']}'.repeat(levels)}`)

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    '',
    '__proto__',
    'constructor',
    'a.b[',
    '\ud800',
    'x'.repeat(3_000),
    -1,
    1e300,
    {},
    [],
    [null],
    { S: null },
    { N: '1e9999' },
    { L: [null] },
    { B: '@@' },
    { BS: ['AA==', 'AA=='] },
    { S: 'a', N: '1' },
    JSON.parse('{"__proto__":{"S":"x"}}'),
    nested(40),
    nested(300),
  ),
)

/** Every path inside a request, as the list of its members. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  const below = Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...path, name]))
  return path.length === 0 ? below : [path, ...below]
}

/** The request with another value in one place, or with nothing there. */
function broken(request: object, path: readonly string[], value: unknown): object {
  const copy = structuredClone(request) as Record<string, unknown>
  const inner = path.slice(0, -1).reduce((at, name) => at[name] as Record<string, unknown>, copy)
  const last = path.at(-1) ?? ''
  if (value === undefined) delete inner[last]
  else inner[last] = value
  return copy
}

const damaged = fc
  .constantFrom(...REQUESTS)
  .chain(([operation, input]) =>
    fc
      .tuple(fc.constantFrom(...placesIn(input)), fc.option(junk, { nil: undefined }))
      .map(([path, value]) => ({ operation, body: JSON.stringify(broken(input, path, value)) })),
  )

/** Bodies that are cut, or that have other bytes in one place. */
const torn = fc
  .tuple(fc.constantFrom(...REQUESTS), fc.nat(), fc.uint8Array({ maxLength: 3 }), fc.boolean())
  .map(([[operation, input], at, bytes, isCut]) => {
    const whole = Buffer.from(JSON.stringify(input))
    const from = at % whole.length
    const rest = isCut ? Buffer.alloc(0) : whole.subarray(from + bytes.length)
    return { operation, body: Buffer.concat([whole.subarray(0, from), bytes, rest]) }
  })

const failures: unknown[] = []
let served: Served
beforeAll(async () => {
  served = await serveProxy({ onFailure: (error) => failures.push(error) })
})
afterAll(() => served.stop())

it('the proxy executes or refuses any request for a sharded table, and fails at none', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(damaged, torn), async ({ operation, body }) => {
      const { status, text } = await post(served.url, operation, body)
      expect(status, text).toBeLessThan(500)
      expect(failures.splice(0)).toEqual([])
    }),
    { numRuns },
  )
})

it.each([
  ['a hundred thousand lists', '['.repeat(100_000), ']'.repeat(100_000)],
  ['a hundred thousand maps', '{"M":{"m":'.repeat(50_000), '}}'.repeat(50_000)],
  ['as many levels as the engine parses', '{"L":['.repeat(490), ']}'.repeat(490)],
])('a body of %s is refused at once, and the proxy serves the next request', async (_, open, close) => {
  const opened = open.endsWith(':') ? `${open}{"S":"x"}` : open
  const body = `{"TableName":"log","Item":{"doc":{"S":"/deep"},"seq":{"N":"1"},"deep":${opened}${close}}}`
  const { status, text } = await post(served.url, 'PutItem', body)
  expect(status).toBe(400)
  expect(text).toMatch(/SerializationException|ValidationException/)
  expect((await post(served.url, 'PutItem', JSON.stringify({ TableName: 'log', Item: item }))).status).toBe(
    200,
  )
  expect(failures).toEqual([])
})
