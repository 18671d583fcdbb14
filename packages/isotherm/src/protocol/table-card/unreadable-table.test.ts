import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { LOG_TABLE } from '../../../test/log-card.js'
import { answerWith, ScriptedClient, serviceError } from '../../../test/scripted-client.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { LogicalKey } from '../../keys/key.js'
import { Suffix } from '../../keys/suffix.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import { requireCountsMayChange, requireSafeRegions } from './global-table.js'
import { isShardMapEmpty } from './is-shard-map-empty.js'
import { itemsCheck } from './items-check.js'
import { requireTable } from './require-table.js'

const LIKE = { S: 'k' } as LogicalKey

/** A description of the table, as the service gives it. */
const described = (members: object = {}) =>
  answerWith({
    Table: {
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'sk', AttributeType: 'N' },
        { AttributeName: 'pk', AttributeType: 'S' },
      ],
      ...members,
    },
  })

describe('a table that is described', () => {
  const required = (answer: object | Error, table: Partial<ShardedTable> = {}, mayFall = false) =>
    requireTable({ ...LOG_TABLE, ...table }, new ScriptedClient(answer).client, (found) =>
      requireSafeRegions({ ...LOG_TABLE, ...table }, found, { mayFall }),
    )

  it('has the keys of the options', async () => {
    await required(described())
    await expect(required(described(), { partitionKey: 'id' })).rejects.toMatchObject({
      code: 'table.differs',
      details: { setting: 'partitionKey', found: 'pk', given: 'id' },
    })
  })

  const Replicas = [{ RegionName: 'us-east-1' }, {}, { RegionName: 'eu-west-1' }]

  it('in several regions needs one lock for all of them', async () => {
    await expect(required(described({ Replicas }))).rejects.toMatchObject({
      code: 'table.unfit',
      message: expect.stringContaining('us-east-1, eu-west-1'),
      details: { table: 'log', setting: 'shardMap' },
    })
  })

  it('in several regions needs random counts that never fall', async () => {
    const falling = required(described({ Replicas }), { shardMapHasClient: true }, true)
    await expect(falling).rejects.toMatchObject({
      code: 'table.unfit',
      message: expect.stringMatching(/us-east-1, eu-west-1\. .*quiet: false/),
      details: { table: 'log', setting: 'shards' },
    })
  })

  const OWN = { shardMapHasClient: true }
  const CALCULATED = {
    ...OWN,
    keysOfOneRegion: true,
    suffix: { kind: 'calculated', from: undefined },
  } as const

  it.each<[string, object, Partial<ShardedTable>, boolean]>([
    ['it is strongly consistent', { Replicas, MultiRegionConsistency: 'STRONG' }, {}, true],
    ['the shard map has a client of its own, and counts only grow', { Replicas }, OWN, false],
    [
      'the shard map has a client of its own, and a calculated key is of one region',
      { Replicas },
      CALCULATED,
      true,
    ],
    ['it is in one region', { Replicas: [] }, {}, true],
  ])('may be used if %s', async (_what, members, table, mayFall) => {
    await required(described(members), table, mayFall)
  })

  it('in several regions may have a fixed count', async () => {
    await requireTable(LOG_TABLE, new ScriptedClient(described({ Replicas })).client)
  })

  it('in several regions needs keys that one region writes, with a calculated suffix', async () => {
    const calculated = required(described({ Replicas }), { ...CALCULATED, keysOfOneRegion: false })
    await expect(calculated).rejects.toMatchObject({
      code: 'table.unfit',
      message: expect.stringMatching(/eu-west-1\. .*keysOfOneRegion: true/),
      details: { table: 'log', setting: 'shardMap' },
    })
  })

  it.each<[string, Partial<ShardedTable>, boolean, boolean]>([
    ['a shard map of each region', {}, false, false],
    ['one shard map, and a random count that grows', OWN, false, true],
    ['one shard map, and a random count that falls', OWN, true, false],
    ['one shard map, and a calculated count of a key of one region', CALCULATED, true, true],
  ])('once it is in several regions, with %s, changes a count or not', async (_what, table, mayFall, may) => {
    const { client } = new ScriptedClient(described({ Replicas }))
    const changed = requireCountsMayChange({ ...LOG_TABLE, ...table }, client, { mayFall })
    if (may) await changed
    else await expect(changed).rejects.toMatchObject({ code: 'table.unfit' })
  })

  it('has keys of any type where the answer has no types', async () => {
    await required(described({ AttributeDefinitions: [] }))
  })

  it('without a sort key may have items that the application places itself', async () => {
    const KeySchema = [{ AttributeName: 'pk', KeyType: 'HASH' }]
    const handMade = { name: 'votes' }
    await required(described({ KeySchema }), { sortKey: undefined, suffix: CALCULATED.suffix, handMade })
    // Leaving the option out is a cure for these only.
    await expect(
      required(described({ KeySchema }), { sortKey: 'sk', suffix: CALCULATED.suffix, handMade }),
    ).rejects.toThrow('The sort key of log is not set, and the options say sk. Leave sortKey out.')
    await expect(
      required(described({ KeySchema }), { sortKey: undefined, suffix: CALCULATED.suffix }),
    ).rejects.toThrow('log has no sort key, so each partition key has one item')
  })

  it.each([
    ['the right to describe it is missing', serviceError('AccessDeniedException')],
    ['the engine does not know the request', serviceError('UnknownOperationException')],
    ['the answer has no table', answerWith()],
    ['the answer has no keys', answerWith({ Table: {} })],
  ])('is believed to fit if %s', async (_what, answer) => {
    await required(answer, { partitionKey: 'id' })
  })
})

describe('a shard map', () => {
  const isEmpty = (answer: object | Error) =>
    isShardMapEmpty({ options: LOG_TABLE, client: new ScriptedClient(answer).client }, LIKE)

  it.each([
    ['has no item of a key', answerWith({ Items: [] }), true],
    ['answers without items', answerWith(), true],
    ['has an item', answerWith({ Items: [{ pk: LIKE }] }), false],
    // The filter may have left out all that was looked at.
    ['may have more items', answerWith({ Items: [], LastEvaluatedKey: { pk: LIKE } }), false],
    ['may not be scanned', serviceError('AccessDeniedException'), false],
  ])('that %s is empty or not', async (_what, answer, expected) => {
    expect(await isEmpty(answer)).toBe(expected)
  })

  it('is scanned consistently, for keys that are not its own', async () => {
    const scripted = new ScriptedClient(answerWith({ Items: [] }))
    await isShardMapEmpty({ options: LOG_TABLE, client: scripted.client }, LIKE)
    expect(scripted.requests.map(({ input }) => input)).toEqual([
      {
        TableName: 'map',
        Limit: 1_000,
        ConsistentRead: true,
        FilterExpression: 'NOT begins_with(#key, :own)',
        ExpressionAttributeNames: { '#key': 'pk' },
        ExpressionAttributeValues: { ':own': { S: 'isotherm:' } },
      },
    ])
  })

  it('that fails in another way says nothing', async () => {
    await expect(isEmpty(serviceError('InternalServerError'))).rejects.toThrow('InternalServerError')
  })
})

describe('a sample of the items', () => {
  const elsewhere = answerWith({ Items: [{ pk: { S: 'k_9' }, sk: { N: '1' } }] })
  const declared = { shards: 'dynamicShards', count: 2 } as const

  function checkOf(...answers: readonly (object | Error)[]) {
    const clock = new VirtualClock(0)
    const scripted = new ScriptedClient(...answers)
    const unchecked: unknown[] = []
    const table = {
      options: LOG_TABLE,
      client: scripted.client,
      clock,
      random: { next: () => 0 },
      suffix: new Suffix('log', '_', false),
    }
    return { clock, scripted, unchecked, check: itemsCheck(table, (error) => unchecked.push(error)) }
  }

  it('that refuses the options is read again after half a minute', async () => {
    const { clock, scripted, check } = checkOf(elsewhere, answerWith({ Items: [] }))
    await expect(check(declared)).rejects.toMatchObject({ code: 'items.elsewhere' })
    clock.advance(29_999)
    await expect(check(declared)).rejects.toMatchObject({ code: 'items.elsewhere' })
    expect(scripted.attempts).toBe(1)
    clock.advance(1)
    await check(declared)
    expect(scripted.attempts).toBe(2)
  })

  it.each([
    'AccessDeniedException',
    'UnrecognizedClientException',
    'UnknownOperationException',
    'ValidationException',
  ])('that may not be read is reported, and the options are believed: %s', async (name) => {
    const { unchecked, check } = checkOf(serviceError(name))
    await check(declared)
    expect(unchecked).toEqual([expect.objectContaining({ name })])
  })

  it.each([
    serviceError('ThrottlingException'),
    new IsothermError('shard-map.missing', 'missing', { table: 'log', shardMap: 'map' }),
  ])('that fails in another way is read again with the next request: %s', async (error) => {
    const { scripted, check, unchecked } = checkOf(error)
    for (let request = 0; request < 2; request++) await expect(check(declared)).rejects.toBe(error)
    expect(scripted.attempts).toBe(2)
    expect(unchecked).toEqual([])
  })
})
