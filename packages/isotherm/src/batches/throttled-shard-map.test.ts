import { BatchWriteItemCommand, type GetItemCommandInput, type WriteRequest } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { scanned, shardedEngine } from '../../test/sharded-engine.js'
import { hotPartitionError } from '../../test/throttling.js'
import { dynamicShards } from '../scaling/shards.js'

const MEMBERS: readonly WriteRequest[] = [1, 2].map((id) => ({
  PutRequest: { Item: { pk: { S: 'k' }, sk: { N: String(id) } } },
}))

interface Case {
  /** The number of members that the first request writes. Every later one is throttled. */
  readonly written: number
  /** The delay of each request before it is sent. */
  readonly heldUpMilliseconds?: number
}

const keyIn = (input: object) => (input as GetItemCommandInput).Key?.pk?.S

/** A batch of two members, with a shard map that responds once and is throttled from then on. */
async function told({ written, heldUpMilliseconds = 0 }: Case) {
  const shards = dynamicShards({ quiet: false })
  const engine = await shardedEngine({ suffix: 'random', shards, cacheTtl: '1s' })
  const { clock, client } = engine
  await engine.setState({ shards: 5, lastUpdated: 1, history: ['1:5'] })
  let [looks, requests] = [0, 0]
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const isLook = commandName === 'GetItemCommand' && keyIn(args.input) === 'k'
        if (isLook && ++looks > 1) throw hotPartitionError()
        if (commandName !== 'BatchWriteItemCommand') return next(args)
        await clock.sleep(600)
        if (++requests > 1 || written === 0) {
          if (heldUpMilliseconds === 0) throw hotPartitionError()
          return next(args)
        }
        const { log = [] } = (args.input as { readonly RequestItems: Record<string, WriteRequest[]> })
          .RequestItems
        const part = { ...args.input, RequestItems: { log: log.slice(0, written) } }
        const { response, output } = await next({ ...args, input: part as typeof args.input })
        return { response, output: { ...output, UnprocessedItems: { log: log.slice(written) } } }
      },
    { step: 'initialize', name: 'service' },
  )
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'BatchWriteItemCommand') await clock.sleep(heldUpMilliseconds)
        return next(args)
      },
    { step: 'build', name: 'held up' },
  )
  const command = new BatchWriteItemCommand({ RequestItems: { log: [...MEMBERS] } })
  const outcome = await clock.run(() =>
    engine
      .process()
      .send(command)
      .then(
        ({ UnprocessedItems }) => UnprocessedItems,
        (error: Error) => error.name,
      ),
  )
  client.middlewareStack.remove('service')
  const stored = (await scanned(client, 'log')).length
  await engine.close()
  return { outcome, stored, isThrottled: looks > 1 }
}

describe('a batch of writes whose shard map is throttled', () => {
  it('returns the members that were not written, once some were', async () => {
    expect(await told({ written: 1 })).toEqual({
      outcome: { log: [MEMBERS[1]] },
      stored: 1,
      isThrottled: true,
    })
  })

  it('is rejected when nothing was written', async () => {
    expect(await told({ written: 0 })).toEqual({
      outcome: 'ThrottlingException',
      stored: 0,
      isThrottled: true,
    })
  })

  it('goes to the first shard when its view had expired before it was sent', async () => {
    const outcome = await told({ written: 0, heldUpMilliseconds: 2_000 })
    expect(outcome).toEqual({ outcome: {}, stored: 2, isThrottled: true })
  })
})
