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
