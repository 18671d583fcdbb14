import { DescribeTableCommand } from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { putAll } from '../../../test/rotating-log.js'
import { ensureCatalog } from './ensure-catalog.js'
import { rotation } from './rotation.js'

it.each([
  ['is changing one of them', 'real'],
  ['has lowered one of them', 'none'],
] as const)('the other old tables are lowered when another process %s', async (_name, controlPlaneDelays) => {
  const clock = new VirtualClock(Date.parse('2026-11-20T12:00:00Z'))
  const random = new SeededRandom(1)
  const local = createLocal({ clock, random, metrics: false, throttle: false, controlPlaneDelays })
  const client = local.client()
  const log = rotation(client, {
    table: 'log',
    partitionKey: 'file',
    sortKey: 'at',
    period: 'month',
    definition: { ProvisionedThroughput: { ReadCapacityUnits: 50, WriteCapacityUnits: 50 } },
    oldCapacity: { read: 5, write: 1 },
    clock,
  })
  const capacities: (number | undefined)[] = []
  await clock.run(async () => {
    await ensureCatalog(client, { table: 'log', clock })
    await putAll(log, ['2026-09-15T00:00:00Z', '2026-10-15T00:00:00Z', '2026-11-15T00:00:00Z'])
    let isFirst = true
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          // The other process is there between this one's look at the table and its update.
          if (commandName === 'UpdateTableCommand' && isFirst) {
            isFirst = false
            await next(args)
          }
          return next(args)
        },
      { step: 'initialize', name: 'other process' },
    )
    expect(await log.maintain()).toEqual({ lowered: ['log_2026-10'] })
    await clock.sleep(600_000)
    for (const TableName of ['log_2026-09', 'log_2026-10', 'log_2026-11']) {
      const { Table } = await client.send(new DescribeTableCommand({ TableName }))
      capacities.push(Table?.ProvisionedThroughput?.WriteCapacityUnits)
    }
  })
  expect(capacities).toEqual([1, 1, 50])
  await local.close()
})
