import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { bareClient } from '../../test/fake-client.js'
import { FakeTables } from '../../test/fake-tables.js'
import { smallTable } from '../../test/throttling.js'
import { raiseWriteCapacity } from '../scaling/raise-write-capacity.js'
import { dynamicShards } from '../scaling/shards.js'
import { isotherm } from './isotherm.js'

const KEYS = { partitionKey: 'pk', sortKey: 'at' } as const

it('a copy of a value of the options uses the values in the copy', async () => {
  const tables = new FakeTables().create('log', { ...KEYS, writeUnits: 10 })
  tables.create('log_shard_map', { partitionKey: 'pk' })
  tables.beforeWrite = (table) => {
    if (table === 'log') throw smallTable()
  }
  const clock = new VirtualClock()
  const raised: number[] = []
  const db = isotherm(bareClient(tables), {
    tables: {
      log: {
        ...KEYS,
        suffix: 'random',
        shards: { ...dynamicShards(), initial: 4 },
        capacity: { ...raiseWriteCapacity({ maxWriteUnits: 100 }), maxWriteUnits: 12 },
      },
    },
    clock,
    random: new SeededRandom(1),
    onEvent: (event) => {
      if (event.type === 'capacity-raised') raised.push(event.to)
    },
  })
  await clock.run(async () => {
    const Item = { pk: { S: 'k' }, at: { N: '1' } }
    await expect(db.send(new PutItemCommand({ TableName: 'log', Item }))).rejects.toThrow()
  })
  expect(tables.items('log_shard_map')).toMatchObject([{ settings: { M: { initial: { S: '4' } } } }])
  expect(raised).toEqual([12])
})
