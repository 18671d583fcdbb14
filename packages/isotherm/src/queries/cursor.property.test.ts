import { PutItemCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { isotherm } from '../client/isotherm.js'
import { fixedShards } from '../scaling/shards.js'

const numRuns = inject('trials') === 'many' ? 4_000 : 400

const local = createLocal({ throttle: false })
const client = local.client()
const shards = fixedShards(4)
const by_kind = { partitionKey: 'kind', sortKey: 'rank', shards }
const log = {
  partitionKey: 'pk',
  sortKey: 'sk',
  suffix: 'calculated',
  shards,
  indexes: { by_kind },
} as const
const db = isotherm(client, { tables: { log } })

const ofTable: QueryCommandInput = {
  TableName: 'log',
  KeyConditionExpression: 'pk = :k AND sk > :low',
  ExpressionAttributeValues: { ':k': { S: 'a' }, ':low': { N: '2' } },
  Limit: 3,
}
const ofIndex: QueryCommandInput = {
  TableName: 'log',
  IndexName: 'by_kind',
  KeyConditionExpression: 'kind = :k',
  ExpressionAttributeValues: { ':k': { S: 'red' } },
  Limit: 3,
}

type StartKey = NonNullable<QueryCommandInput['ExclusiveStartKey']>
let real: readonly (readonly [QueryCommandInput, StartKey])[] = []

beforeAll(async () => {
  await client.send(
    createTable('log', ['pk', 'sk:N'], { global: { by_kind: ['isotherm_by_kind', 'rank:N'] } }),
  )
  for (const pk of ['a', 'b']) {
    for (let at = 0; at < 20; at++) {
      const Item = { pk: { S: pk }, sk: { N: String(at) }, kind: { S: 'red' }, rank: { N: String(at % 5) } }
      await db.send(new PutItemCommand({ TableName: 'log', Item }))
    }
  }
  const queries = [ofTable, ofIndex, { ...ofTable, ScanIndexForward: false }]
  real = await Promise.all(
    queries.map(async (query) => {
      const { LastEvaluatedKey } = await db.send(new QueryCommand(query))
      if (LastEvaluatedKey === undefined) throw new Error('The first page is the last one.')
      return [query, LastEvaluatedKey] as const
    }),
  )
})
afterAll(async () => {
  db.destroy()
  await local.close()
})

const values = fc.oneof(
  fc.string({ maxLength: 8 }).map((S) => ({ S })),
  fc
    .constantFrom(
      'a',
      'b',
      'a_1',
      'a_4',
      'a_5',
      'a_0',
      'a_01',
      'a_1e0',
      'red_1',
      'red_9',
      'a_1000',
      '_1',
      'a_',
    )
    .map((S) => ({ S })),
  fc.constantFrom('0', '2', '7', '-1', '1e3', '007', 'NaN', '', '9'.repeat(60)).map((N) => ({ N })),
  fc.uint8Array({ maxLength: 4 }).map((B) => ({ B })),
  fc.constantFrom<object | null>({ BOOL: true }, { NULL: true }, { L: [] }, { M: {} }, { SS: ['a'] }, {}),
  // Of untyped JSON.
  fc.constantFrom<unknown>(null, 5, 'a', { N: null }, { N: 5 }, { S: 5 }, { S: null }, { B: 'AA==' }),
)
const names = fc.constantFrom('pk', 'sk', 'rank', 'isotherm_by_kind', 'more')

/** What is changed in a real cursor; a name without a value is left out. */
const changes = fc.array(fc.tuple(names, fc.option(values, { nil: undefined })), { maxLength: 2 })
const drawn = fc.record({ which: fc.nat(2), other: fc.nat(2), isReal: fc.boolean(), changes })

it('a start key that is drawn continues the query, or is refused in its documented way', async () => {
  let [continued, refused] = [0, 0]
  await fc.assert(
    fc.asyncProperty(drawn, async ({ which, other, isReal, changes }) => {
      const [query] = real[which] ?? [ofTable]
      const [, cursor = {}] = real[other] ?? []
      const changed = { ...(isReal ? cursor : {}), ...Object.fromEntries(changes) }
      const key = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined))
      try {
        const { Items = [] } = await db.send(
          new QueryCommand({ ...query, ExclusiveStartKey: key as StartKey }),
        )
        continued++
        // Whatever the cursor, nothing comes but what the key condition names.
        const own =
          query.IndexName === undefined ? Items.map(({ pk }) => pk?.S) : Items.map(({ kind }) => kind?.S)
        expect(own.filter((each) => each !== (query.IndexName === undefined ? 'a' : 'red'))).toEqual([])
      } catch (error) {
        refused++
        // `cursor.invalid` has the first name, too. The second is the service's, for a value that is none of its API.
        expect(Object(error).name).toMatch(/^(Validation|Serialization)Exception$/)
        if (Object(error).code !== undefined) expect(error).toMatchObject({ code: 'cursor.invalid' })
      }
    }),
    { numRuns },
  )
  expect(Math.min(continued, refused)).toBeGreaterThan(5)
})
