import { BatchGetItemCommand, type BatchGetItemCommandInput } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { keyOf, type Situation, TwinTables } from '../../test/twin-tables.js'
import { atRest } from '../protocol/states/shard-state.js'

const FIXED: Situation = { name: 'fixed', suffix: 'random', shards: 4 }
const RETIRED: Situation = {
  name: 'retired',
  suffix: 'random',
  shards: 2,
  state: atRest({ shards: 2, lastUpdated: 2, history: ['1:4', '2:2'] }),
}
const MOVED: Situation = {
  name: 'moved',
  suffix: 'calculated',
  shards: 5,
  state: {
    shards: 5,
    lastUpdated: 2,
    history: ['1:2', '2:5'],
    phase: 'moved',
    from: 2,
    to: 5,
  },
}
const SOURCE = { place: 0, isMarked: false }

const keys = (count: number) => Array.from({ length: count }, (_, id) => keyOf(id))

async function asked(input: BatchGetItemCommandInput, situation = FIXED) {
  const twins = new TwinTables(situation)
  let failure: unknown
  await twins.run(async () => {
    failure = await twins.db.send(new BatchGetItemCommand(input)).catch((error: unknown) => error)
  })
  return failure
}

describe('BatchGetItem on a sharded table', () => {
  it('rejects what the service rejects, with its text', async () => {
    const ofSharded = (Keys: ReturnType<typeof keys>) => ({ RequestItems: { sharded: { Keys } } })
    expect(await asked(ofSharded(keys(101)))).toMatchObject({
      name: 'ValidationException',
      message: expect.stringContaining("'RequestItems.sharded.member.Keys' failed to satisfy constraint"),
    })
    const spread = { RequestItems: { sharded: { Keys: keys(60) }, other: { Keys: keys(41) } } }
    expect(await asked(spread)).toMatchObject({
      message: 'Too many items requested for the BatchGetItem call',
    })
    expect(await asked(ofSharded([keyOf(1), keyOf(2), keyOf(1)]))).toMatchObject({
      name: 'ValidationException',
      message: 'Provided list of item keys contains duplicates',
    })
    expect(await asked(ofSharded([]))).toMatchObject({ name: 'ValidationException' })
  })

  it('rejects the legacy parameter, and invalid keys', async () => {
    const legacy = { RequestItems: { sharded: { Keys: [keyOf(1)], AttributesToGet: ['version'] } } }
    expect(await asked(legacy)).toMatchObject({ code: 'command.parameter-unsupported' })
    const numeric = { customer: { N: '1' }, order_id: { S: 'x' } }
    expect(await asked({ RequestItems: { sharded: { Keys: [numeric] } } })).toMatchObject({
      code: 'key.type',
    })
  })

  it('sends as many requests as the possible shards need, and adds up their capacity', async () => {
    const twins = new TwinTables(FIXED)
    const batches: number[] = []
    twins.beforeRequest = (_operation, input) => {
      const { RequestItems = {} } = input as BatchGetItemCommandInput
      const members = Object.values(RequestItems).flatMap(({ Keys = [] }) => Keys).length
      // The options are compared with the table first.
      if (members > 0) batches.push(members)
    }
    await twins.run(async () => {
      await twins.seed({ ...keyOf(7), version: { N: '1' } }, { place: 2, isMarked: false })
      const output = await twins.db.send(
        new BatchGetItemCommand({
          RequestItems: { sharded: { Keys: keys(60) }, other: { Keys: keys(3) } },
          ReturnConsumedCapacity: 'TOTAL',
        }),
      )
      expect(output.Responses?.sharded).toEqual([{ ...keyOf(7), version: { N: '1' } }])
      expect(output.ConsumedCapacity).toEqual([
        { TableName: 'other', CapacityUnits: 1.5 },
        { TableName: 'sharded', CapacityUnits: 60 * 4 * 0.5 },
      ])
      expect(output.$metadata.attempts).toBe(3)
    })
    expect(batches).toEqual([100, 100, 43])
  })

  it('returns unprocessed keys as logical keys, with all parameters of their table', async () => {
    const twins = new TwinTables(FIXED)
    twins.answerInstead = (_operation, input) => {
      const { RequestItems = {} } = input as BatchGetItemCommandInput
      const { sharded: { Keys = [], ...rest } = {} } = RequestItems
      const left = Keys.filter(({ order_id }) => order_id?.S === 'order 2').slice(0, 1)
      return {
        $metadata: {},
        Responses: { sharded: [] },
        UnprocessedKeys: { sharded: { ...rest, Keys: left } },
      }
    }
    await twins.run(async () => {
      const wanted = {
        Keys: keys(4),
        ProjectionExpression: '#v',
        ExpressionAttributeNames: { '#v': 'version' },
      }
      const output = await twins.db.send(new BatchGetItemCommand({ RequestItems: { sharded: wanted } }))
      expect(output.UnprocessedKeys).toEqual({ sharded: { ...wanted, Keys: [keyOf(2)] } })
    })
  })

  it.each([
    ['hands an item back that is being moved', { isotherm_moving: { S: '1:1' } }, [], [keyOf(1)]],
    ['answers with an item that is not', {}, [keyOf(1)], undefined],
  ])('%s, when its target shards were left unprocessed', async (_what, mark, found, left) => {
    const twins = new TwinTables(RETIRED)
    twins.answerInstead = (_operation, input) => {
      const { sharded } = (input as BatchGetItemCommandInput).RequestItems ?? {}
      if (sharded === undefined) return undefined
      const [source, ...Keys] = sharded.Keys ?? []
      const Responses = { sharded: [{ ...source, ...mark }] }
      return { $metadata: {}, Responses, UnprocessedKeys: { sharded: { ...sharded, Keys } } }
    }
    await twins.run(async () => {
      const command = new BatchGetItemCommand({ RequestItems: { sharded: { Keys: [keyOf(1)] } } })
      const { Responses, UnprocessedKeys } = await twins.db.send(command)
      expect(Responses?.sharded).toEqual(found)
      expect(UnprocessedKeys?.sharded?.Keys).toEqual(left)
    })
  })

  it('accepts a table by its ARN, and responds with it', async () => {
    const twins = new TwinTables(FIXED)
    const arn = 'arn:aws:dynamodb:us-east-1:000000000000:table/sharded'
    // The engine responds with the ARN. A response with the name is valid as well.
    twins.answerInstead = (_operation, input) => {
      const { RequestItems = {} } = input as BatchGetItemCommandInput
      const [found] = RequestItems[arn]?.Keys ?? []
      return { $metadata: {}, Responses: { sharded: [found] }, UnprocessedKeys: {} }
    }
    await twins.run(async () => {
      const command = new BatchGetItemCommand({ RequestItems: { [arn]: { Keys: [keyOf(1)] } } })
      expect((await twins.db.send(command)).Responses).toEqual({ [arn]: [keyOf(1)] })
    })
  })

  it('throws the throttling error when all reads were throttled', async () => {
    const twins = new TwinTables(FIXED)
    const refusal = Object.assign(new Error('Too much.'), { name: 'ProvisionedThroughputExceededException' })
    twins.beforeRequest = () => {
      throw refusal
    }
    await twins.run(async () => {
      const command = new BatchGetItemCommand({ RequestItems: { sharded: { Keys: keys(60) } } })
      await expect(twins.db.send(command)).rejects.toBe(refusal)
    })
  })

  it('finds an item that is moved between the reads of its two shards', async () => {
    const twins = new TwinTables(MOVED)
    await twins.run(async () => {
      for (let id = 0; id < 10; id++) await twins.seed(keyOf(id), SOURCE)
      twins.beforeRequest = async () => {
        for (let id = 0; id < 10; id++) await twins.stepMove(id)
      }
      for (let request = 0; request < 3; request++) {
        const command = new BatchGetItemCommand({ RequestItems: { sharded: { Keys: keys(10) } } })
        const { Responses } = await twins.db.send(command)
        expect(Responses?.sharded).toEqual(keys(10))
      }
    })
  })
})
