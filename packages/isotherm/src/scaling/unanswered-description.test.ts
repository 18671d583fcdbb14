import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { bareClient } from '../../test/fake-client.js'
import { FakeTables } from '../../test/fake-tables.js'
import { throttled } from '../../test/throttling.js'
import { isotherm } from '../client/isotherm.js'
import type { IsothermEvent } from '../events/event.js'
import { operationOf } from '../sdk/operation.js'
import type { AnyCommand } from '../sdk/physical-client.js'
import { fixedShards } from './shards.js'

/** A process for which each description of its table has no response, and what its first write takes. */
async function firstWrite({ checkItems, isThrottled }: { checkItems: boolean; isThrottled: boolean }) {
  const clock = new VirtualClock()
  const tables = new FakeTables().create('log', { partitionKey: 'pk', sortKey: 'at' })
  let writes = 0
  tables.beforeWrite = () => {
    writes += 1
    if (isThrottled && writes === 1) throw throttled('ThrottlingException', [])
  }
  const client = bareClient(tables)
  const send = (command: AnyCommand, options?: object) =>
    operationOf(command) === 'DescribeTable' ? new Promise(() => {}) : client.send(command as never, options)
  const events: IsothermEvent[] = []
  const db = isotherm<typeof client>(Object.create(client, { send: { value: send } }), {
    tables: {
      log: { partitionKey: 'pk', sortKey: 'at', suffix: 'random', shards: fixedShards(2), checkItems },
    },
    clock,
    random: new SeededRandom(1),
    onEvent: (event) => events.push(event),
  })
  const milliseconds = await clock.run(async () => {
    const from = clock.now()
    await db.send(new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' }, at: { N: '1' } } }))
    return clock.now() - from
  })
  db.destroy()
  return { milliseconds, events }
}

describe('a description of the table that has no response', () => {
  it('holds up the first requests of a process with fixedShards for ten seconds at most', async () => {
    const { milliseconds } = await firstWrite({ checkItems: true, isThrottled: false })
    expect(milliseconds).toBe(10_000)
  })

  it('holds up a write that is throttled without a reason for ten seconds at most', async () => {
    const { milliseconds, events } = await firstWrite({ checkItems: false, isThrottled: true })
    expect(milliseconds).toBe(10_000)
    expect(events).toMatchObject([
      { type: 'failed', task: 'describe-table', error: { name: 'TimeoutError' } },
      { type: 'throttled', scope: 'unknown' },
    ])
  })
})
