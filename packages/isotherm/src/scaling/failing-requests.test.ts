import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { loadedEngine } from '../../test/loaded-engine.js'
import { serviceError } from '../../test/scripted-client.js'
import { CARD_KEY } from '../protocol/index.js'
import { operationOf } from '../sdk/operation.js'
import type { AnyCommand } from '../sdk/physical-client.js'

const throttled = () =>
  Promise.reject(serviceError('ProvisionedThroughputExceededException', { $fault: 'client' }))
const hangs = () => new Promise<never>(() => {})

interface Request {
  readonly operation: string
  readonly isOfCard: boolean
  /** The update of an item. */
  readonly update: string
}

function requestOf(command: AnyCommand): Request {
  const input = command.input as Partial<UpdateItemCommandInput>
  return {
    operation: operationOf(command) ?? '',
    isOfCard: JSON.stringify(input.Key ?? {}).includes(CARD_KEY),
    update: input.UpdateExpression ?? '',
  }
}

const REQUESTS = {
  'the report of throttles': ({ update }) => update.startsWith('ADD'),
  'the read that ends a measurement': ({ operation, isOfCard }) => operation === 'GetItem' && !isOfCard,
  'the update of the card': ({ operation, isOfCard }) => operation === 'UpdateItem' && isOfCard,
  'the change of the count': ({ update }) => update.includes('#number_of_shards'),
} satisfies Record<string, (request: Request) => boolean>

/** One process writes what two partitions take to a key in one shard. The first such request of its growth fails. */
async function grownAfter(which: keyof typeof REQUESTS, fails: () => Promise<never>, seconds: number) {
  let reports = 0
  let failedAt: number | undefined
  const { events } = await loadedEngine({
    seed: 1,
    processes: 1,
    keys: { hot: { unitsPerSecond: 2_000 } },
    itemUnits: 100,
    seconds,
    shards: { quiet: false },
    beforeShardMap: (command, second) => {
      const request = requestOf(command)
      if (REQUESTS['the report of throttles'](request)) reports += 1
      // The first one finds no item of the key, which is made then.
      if (reports < 2 || failedAt !== undefined || !REQUESTS[which](request)) return undefined
      failedAt = second
      return fails()
    },
  })
  expect(failedAt).toBeDefined()
  expect(events.map(({ type }) => type)).toContain('scaled')
}

describe.each(Object.keys(REQUESTS) as (keyof typeof REQUESTS)[])(
  'a hot key grows soon after %s',
  (which) => {
    it('was throttled once', () => grownAfter(which, throttled, 8))

    it('has hung', () => grownAfter(which, hangs, 16))
  },
)
