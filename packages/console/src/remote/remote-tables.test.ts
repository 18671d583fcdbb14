import type { DescribeTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { DynamoDBClient as Client } from '@aws-sdk/client-dynamodb'
import { VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { MAX_TABLES, RemoteTables } from './remote-tables.js'

it('describe as many tables as they list only once, however often they are asked', async () => {
  const sent: string[] = []
  const client: DynamoDBClient = Object.assign(new Client({ region: 'eu-central-1' }), {
    async send(command: ListTablesCommand | DescribeTableCommand) {
      sent.push(command.constructor.name)
      if ('TableName' in command.input) return { Table: { TableName: command.input.TableName } }
      return { TableNames: Array.from({ length: MAX_TABLES }, (_, at) => `table${at}`) }
    },
  })
  const tables = new RemoteTables(client, new VirtualClock(), [])
  for (let look = 0; look < 3; look++) expect(await tables.described()).toHaveLength(MAX_TABLES)
  expect(sent.filter((name) => name === 'DescribeTableCommand')).toHaveLength(MAX_TABLES)
  expect(sent.filter((name) => name === 'ListTablesCommand')).toHaveLength(1)
})

it('ask again soon after a failure, and ever more rarely while it lasts', async () => {
  const clock = new VirtualClock()
  let [sent, isBroken] = [0, true]
  const client: DynamoDBClient = Object.assign(new Client({ region: 'eu-central-1' }), {
    async send({ input }: DescribeTableCommand) {
      sent++
      if (isBroken) throw new Error('The connection is lost.')
      return { Table: { TableName: input.TableName } }
    },
  })
  const tables = new RemoteTables(client, clock, ['orders'])
  // An open page asks every second.
  const seconds = async (count: number) => {
    for (let second = 0; second < count; second++) {
      await tables.described()
      clock.advance(1_000)
    }
  }
  await seconds(4)
  expect(sent).toBe(2)
  await seconds(3_600)
  expect(sent).toBeLessThan(70)
  isBroken = false
  await seconds(61)
  expect(await tables.described()).toEqual([['orders', { TableName: 'orders' }]])
  isBroken = true
  clock.advance(600_000)
  await expect(tables.describe('orders')).rejects.toThrow('The connection is lost')
  isBroken = false
  clock.advance(2_000)
  expect(await tables.describe('orders')).toEqual({ TableName: 'orders' })
})
