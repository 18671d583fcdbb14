import { BatchGetItemCommand, type ReturnConsumedCapacity } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { type Answer, answerWith, ScriptedClient, serviceError } from '../../test/scripted-client.js'
import { hotPartitionError } from '../../test/throttling.js'
import { CapacityByTable } from '../sdk/consumed-capacity.js'
import { type Key, type PlacedRead, type ReadSource, readMany } from './read-many.js'
import { SummedMetadata } from './summed-metadata.js'

const key = (pk: string): Key => ({ pk: { S: pk } })

function sourceOf(tableName: string, parameters: ReadSource['parameters'] = {}) {
  const items: Key[] = []
  return { tableName, parameters, items, found: (item: Key) => items.push(item) } satisfies ReadSource & {
    items: Key[]
  }
}

/** Follows the throttles of one item. */
function sense() {
  const throttles: unknown[] = []
  return {
    throttles,
    throttled: (reasons: readonly string[], part: object) => throttles.push([reasons, part]),
  }
}

function readsOf(source: ReadSource, count: number): PlacedRead[] {
  return Array.from({ length: count }, (_, at) => ({ source, key: key(`k${at}`) }))
}

async function read(reads: readonly PlacedRead[], ...answers: readonly Answer[]) {
  return readAsking('TOTAL', reads, ...answers)
}

async function readAsking(
  returnConsumedCapacity: ReturnConsumedCapacity | undefined,
  reads: readonly PlacedRead[],
  ...answers: readonly Answer[]
) {
  const scripted = new ScriptedClient(...answers)
  const metadata = new SummedMetadata()
  const capacity = new CapacityByTable()
  const carried: unknown[] = []
  const together = {
    client: scripted.client,
    request: { carryMiddleware: (to: unknown) => carried.push(to) },
    options: undefined,
    returnConsumedCapacity,
    metadata,
    capacity,
  }
  const left = await readMany(reads, together)
  return { left, scripted, metadata, capacity, carried }
}

const asked = ({ requests }: ScriptedClient) =>
  requests.map(({ input }) => input.RequestItems as Record<string, { readonly Keys: Key[] }>)

describe('reads of many items', () => {
  it('are one request, which gives each table its items', async () => {
    const [log, users] = [sourceOf('log', { ConsistentRead: true }), sourceOf('users')]
    const { left, scripted, carried } = await read(
      [...readsOf(log, 2), ...readsOf(users, 1)],
      answerWith({ Responses: { log: [key('k0'), key('k1')], users: [key('k0')], other: [key('k0')] } }),
    )
    expect(left).toEqual([])
    expect(log.items).toEqual([key('k0'), key('k1')])
    expect(users.items).toEqual([key('k0')])
    expect(asked(scripted)).toEqual([
      { log: { ConsistentRead: true, Keys: [key('k0'), key('k1')] }, users: { Keys: [key('k0')] } },
    ])
    expect(scripted.requests[0]?.input.ReturnConsumedCapacity).toBe('TOTAL')
    expect(carried).toEqual([expect.any(BatchGetItemCommand)])
  })

  it('of more than a hundred items are several requests', async () => {
    const source = sourceOf('log')
    const { scripted } = await read(readsOf(source, 201), answerWith())
    expect(asked(scripted).map((each) => each.log?.Keys.length)).toEqual([100, 100, 1])
  })

  it('of one table with different parameters are different requests', async () => {
    const [consistent, other] = [sourceOf('log', { ConsistentRead: true }), sourceOf('log')]
    const { scripted } = await read([...readsOf(consistent, 1), ...readsOf(other, 1)], answerWith())
    expect(asked(scripted)).toEqual([
      { log: { ConsistentRead: true, Keys: [key('k0')] } },
      { log: { Keys: [key('k0')] } },
    ])
  })

  it('by the ARN of a table may be answered by its name', async () => {
    const source = sourceOf('arn:aws:dynamodb:eu-west-1:1:table/log')
    await read(readsOf(source, 1), answerWith({ Responses: { log: [key('k0')] } }))
    expect(source.items).toEqual([key('k0')])
  })

  it('by the name and by the ARN of a table are different requests, so that each gets its own items', async () => {
    const [byName, byArn] = [sourceOf('log'), sourceOf('arn:aws:dynamodb:eu-west-1:1:table/log')]
    const { scripted } = await read(
      [
        { source: byName, key: key('k0') },
        { source: byArn, key: key('k1') },
      ],
      answerWith({ Responses: { log: [key('k0')] } }),
      answerWith({ Responses: { log: [key('k1')] } }),
    )
    expect(asked(scripted)).toEqual([
      { log: { Keys: [key('k0')] } },
      { 'arn:aws:dynamodb:eu-west-1:1:table/log': { Keys: [key('k1')] } },
    ])
    expect([byName.items, byArn.items]).toEqual([[key('k0')], [key('k1')]])
  })

  it('ask for no capacity unless the application does', async () => {
    const { scripted } = await readAsking(undefined, readsOf(sourceOf('log'), 1), answerWith())
    expect(scripted.requests[0]?.input).not.toHaveProperty('ReturnConsumedCapacity')
  })

  it('sum their attempts and their capacity', async () => {
    const answer = answerWith({ ConsumedCapacity: [{ TableName: 'log', CapacityUnits: 2 }] }, 3)
    const { metadata, capacity } = await read(readsOf(sourceOf('log'), 200), answer)
    expect(metadata.attempts).toBe(6)
    expect(capacity.answer('TOTAL')).toEqual({ ConsumedCapacity: [{ TableName: 'log', CapacityUnits: 4 }] })
  })

  it('leave what the service leaves unprocessed, however it spells the key', async () => {
    const source = sourceOf('log')
    const first: PlacedRead = { source, key: { pk: { N: '10' } } }
    const { left } = await read(
      [first, { source, key: key('k1') }],
      answerWith({
        UnprocessedKeys: { log: { Keys: [{ pk: { N: '1e1' } }] }, other: { Keys: [key('k0')] } },
      }),
    )
    expect(left).toEqual([first])
    expect(left[0]).toBe(first)
  })

  it('leave the item of the table that the service names, of several items with one key', async () => {
    const reads = [sourceOf('log'), sourceOf('users')].map((source) => ({ source, key: key('k0') }))
    const { left } = await read(reads, answerWith({ UnprocessedKeys: { users: { Keys: [key('k0')] } } }))
    expect(left).toEqual([reads[1]])
    expect(left[0]).toBe(reads[1])
  })

  it('leave a key of the table that none of them had, too, since it was not read', async () => {
    const source = sourceOf('log')
    const unknown = answerWith({ UnprocessedKeys: { log: { Keys: [key('k7')] } } })
    expect((await read(readsOf(source, 1), unknown)).left).toEqual([{ source, key: key('k7') }])
    const none = answerWith({ UnprocessedKeys: { log: {} } })
    expect((await read(readsOf(source, 1), none)).left).toEqual([])
  })
})

describe('throttled reads', () => {
  it('are left, while other requests are answered', async () => {
    const source = sourceOf('log')
    const { left } = await read(readsOf(source, 101), hotPartitionError(), answerWith())
    expect(left).toHaveLength(100)
  })

  it('throw the throttle if nothing was read at all', async () => {
    await expect(read(readsOf(sourceOf('log'), 101), hotPartitionError())).rejects.toMatchObject({
      name: 'ThrottlingException',
    })
  })

  it('do not throw if the rest is only unprocessed', async () => {
    const unprocessed = answerWith({ UnprocessedKeys: { log: { Keys: [key('k0')] } } })
    expect((await read(readsOf(sourceOf('log'), 1), unprocessed)).left).toHaveLength(1)
  })

  it('do not hide another error', async () => {
    const denied = serviceError('AccessDeniedException')
    await expect(read(readsOf(sourceOf('log'), 1), denied)).rejects.toBe(denied)
    await expect(read(readsOf(sourceOf('log'), 101), denied, answerWith())).rejects.toBe(denied)
  })

  it('tell each item that is followed once, with the number of its places', async () => {
    const [source, one, other] = [sourceOf('log'), sense(), sense()]
    const reads = [
      { source, key: key('k_1'), sensed: one },
      { source, key: key('k_2'), sensed: one },
      { source, key: key('l_1'), sensed: other },
      { source, key: key('m') },
    ]
    await expect(read(reads, hotPartitionError())).rejects.toThrow()
    const reasons = ['TableWriteKeyRangeThroughputExceeded']
    expect(one.throttles).toEqual([[reasons, { shards: 2 }]])
    expect(other.throttles).toEqual([[reasons, { shards: 1 }]])
  })

  it('tell the only item of a request as well', async () => {
    const [source, sensed] = [sourceOf('log'), sense()]
    await expect(read([{ source, key: key('k'), sensed }], hotPartitionError())).rejects.toThrow()
    expect(sensed.throttles).toEqual([[['TableWriteKeyRangeThroughputExceeded'], { shards: 1 }]])
  })

  it('have no reason where the service leaves them unprocessed', async () => {
    const [source, sensed] = [sourceOf('log'), sense()]
    await read(
      [{ source, key: key('k0'), sensed }],
      answerWith({ UnprocessedKeys: { log: { Keys: [key('k0')] } } }),
    )
    expect(sensed.throttles).toEqual([[[], { shards: 1 }]])
  })
})
