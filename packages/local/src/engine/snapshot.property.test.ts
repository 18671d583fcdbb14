import { addIndex, table } from '@isotherm/fixtures'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ServiceError } from '../errors/service-error.js'
import { EngineFixture } from './engine.fixture.js'

const TABLES = ['one', 'two'] as const
const EPOCH_SECONDS = 1_800_000_000

interface Step {
  readonly operation: string
  readonly input: object
}

const tableName = fc.constantFrom(...TABLES)
const key = fc.record({
  id: fc.constantFrom('a', 'b', 'c').map((text) => ({ S: text })),
  at: fc.integer({ min: 0, max: 9 }).map((number) => ({ N: String(number) })),
})
const item = fc
  .tuple(
    key,
    fc.constantFrom('red', 'blue'),
    fc.integer({ min: 0, max: 99 }),
    fc.integer({ min: -5, max: 5 }),
  )
  .map(([at, colour, size, seconds]) => ({
    ...at,
    colour: { S: colour },
    size: { N: String(size) },
    expiresAt: { N: String(EPOCH_SECONDS + seconds) },
  }))
const step = (operation: string, input: fc.Arbitrary<object>): fc.Arbitrary<Step> =>
  input.map((members) => ({ operation, input: members }))
const inTable = (members: object) => tableName.map((name) => ({ TableName: name, ...members }))

const create = step(
  'CreateTable',
  fc.tuple(tableName, fc.boolean()).map(([name, withStream]) =>
    table(name, ['id', 'at:N'], {
      local: { 'by-size': { sort: 'size:N', projected: 'KEYS_ONLY' } },
      global: { 'by-colour': ['colour'] },
      ...(withStream ? { stream: 'NEW_AND_OLD_IMAGES' } : {}),
    }),
  ),
)
const put = step(
  'PutItem',
  fc.tuple(tableName, item).map(([name, Item]) => ({ TableName: name, Item })),
)
const remove = step(
  'DeleteItem',
  fc.tuple(tableName, key).map(([name, Key]) => ({ TableName: name, Key })),
)
const transact = step(
  'TransactWriteItems',
  fc.tuple(tableName, item, fc.constantFrom('t1', 't2', 't3')).map(([name, Item, token]) => ({
    ClientRequestToken: token,
    TransactItems: [{ Put: { TableName: name, Item } }],
  })),
)
const updateTable = step(
  'UpdateTable',
  fc.oneof(
    inTable({ GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'by-colour' } }] }),
    tableName.map((name) => addIndex(name, 'by-colour', ['colour'])),
    inTable({ StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } }),
    inTable({ StreamSpecification: { StreamEnabled: false } }),
  ),
)
const timeToLive = step(
  'UpdateTimeToLive',
  fc.oneof(
    inTable({ TimeToLiveSpecification: { Enabled: true, AttributeName: 'expiresAt' } }),
    inTable({ TimeToLiveSpecification: { Enabled: false, AttributeName: 'expiresAt' } }),
  ),
)
const steps = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: create },
    { weight: 8, arbitrary: put },
    { weight: 3, arbitrary: remove },
    { weight: 2, arbitrary: transact },
    { weight: 2, arbitrary: updateTable },
    { weight: 1, arbitrary: timeToLive },
    { weight: 1, arbitrary: step('DeleteTable', inTable({})) },
  ),
  { minLength: 5, maxLength: 40 },
)

/** The response or the error. Some steps are invalid at their position, and their errors are compared too. */
function answer(fixture: EngineFixture, operation: string, input: object) {
  try {
    return fixture.ask(operation, input)
  } catch (error) {
    if (error instanceof ServiceError) return `${error.name}: ${error.message}`
    throw error
  }
}

/** The responses to all read operations. */
function everything(fixture: EngineFixture): unknown[] {
  const read = (operation: string, input: object = {}) => answer(fixture, operation, input)
  const { Streams } = read('ListStreams')
  return [
    read('ListTables'),
    Streams,
    ...Streams.flatMap(({ StreamArn }: { StreamArn: string }) => {
      const described = read('DescribeStream', { StreamArn })
      const records = described.StreamDescription.Shards.map(({ ShardId }: { ShardId: string }) => {
        const place = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }
        return read('GetRecords', read('GetShardIterator', place)).Records
      })
      return [described, records]
    }),
    ...TABLES.flatMap((TableName) => [
      read('DescribeTable', { TableName }),
      read('DescribeTimeToLive', { TableName }),
      read('Scan', { TableName, ReturnConsumedCapacity: 'INDEXES' }),
      read('Scan', { TableName, IndexName: 'by-colour', ReturnConsumedCapacity: 'INDEXES' }),
      read('Scan', { TableName, IndexName: 'by-size', ReturnConsumedCapacity: 'INDEXES' }),
    ]),
  ]
}

function newFixture(): EngineFixture {
  return new EngineFixture({
    throttle: false,
    transactionMilliseconds: 0,
    streams: { streamShardMilliseconds: 3000 },
  })
}

it('every read returns the same after a restore, whatever was done since the snapshot', () => {
  fc.assert(
    fc.property(steps, steps, fc.integer({ min: 0, max: 6000 }), (before, after, milliseconds) => {
      const fixture = newFixture()
      for (const { operation, input } of before) answer(fixture, operation, input)
      fixture.clock.advance(milliseconds)
      // Time takes effect with the first request: items expire, and shards are continued by others.
      everything(fixture)
      const snapshot = fixture.engine.snapshot()
      const seen = structuredClone(everything(fixture))
      for (const { operation, input } of after) answer(fixture, operation, input)
      fixture.engine.restore(snapshot)
      expect(everything(fixture)).toEqual(seen)
    }),
    { numRuns: 200 },
  )
})
