import { DynamoDB, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb'
import {
  DynamoDBStreamsClient,
  GetRecordsCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams'
import { DynamoDBDocument, paginateQuery } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Proxied, serveProxied, UPSTREAMS } from './proxied.fixture.js'

const SETTINGS = { region: 'eu-central-1', credentials: { accessKeyId: 'any', secretAccessKey: 'any' } }

describe.each(UPSTREAMS)('the proxy in front of $name', (upstream) => {
  describe.skipIf(!upstream.isThere)('for the AWS SDK for JavaScript', () => {
    let proxied: Proxied
    let client: DynamoDBClient
    beforeAll(async () => {
      proxied = await serveProxied(upstream)
      client = new DynamoDBClient({ ...SETTINGS, endpoint: proxied.url })
    })
    afterAll(async () => {
      client.destroy()
      await proxied.stop()
    })

    it('serves documents, and paginators whose pages are full', async () => {
      const documents = DynamoDBDocument.from(client)
      for (let first = 0; first < 60; first += 20) {
        await documents.batchWrite({
          RequestItems: {
            orders: Array.from({ length: 20 }, (_, index) => ({
              PutRequest: {
                Item: { customer: 'ada', order_id: String(first + index).padStart(4, '0'), rest: 'x' },
              },
            })),
          },
        })
      }
      const counts = []
      const asked = {
        TableName: 'orders',
        KeyConditionExpression: 'customer = :c',
        ExpressionAttributeValues: { ':c': 'ada' },
      }
      for await (const { Count } of paginateQuery({ client: documents, pageSize: 25 }, asked))
        counts.push(Count)
      expect(counts).toEqual([25, 25, 10])
      const { Item } = await documents.get({
        TableName: 'orders',
        Key: { customer: 'ada', order_id: '0042' },
      })
      expect(Item).toEqual({ customer: 'ada', order_id: '0042', rest: 'x' })
    })

    it('waits for tables, and reads the streams of both tables', async () => {
      const tables = new DynamoDB({ ...SETTINGS, endpoint: proxied.url })
      const waited = await waitUntilTableExists({ client: tables, maxWaitTime: 60 }, { TableName: 'plain' })
      expect(waited.state).toBe('SUCCESS')
      await tables.putItem({ TableName: 'plain', Item: { pk: { S: 'orders' } } })
      const streams = new DynamoDBStreamsClient({ ...SETTINGS, endpoint: proxied.url })
      const { Streams = [] } = await streams.send(new ListStreamsCommand({}))
      expect(Streams.map(({ TableName }) => TableName).sort()).toEqual(['orders', 'plain'])
      const first = await streams.send(new ListStreamsCommand({ Limit: 1 }))
      expect(first.Streams).toHaveLength(1)
      expect(first.LastEvaluatedStreamArn).toBe(first.Streams?.[0]?.StreamArn)
      const refused = await streams
        .send(new GetRecordsCommand({ ShardIterator: 'x'.repeat(20) }))
        .catch((error) => error)
      expect(refused.name).toMatch(/Exception$/)
      streams.destroy()
      tables.destroy()
    })

    it('answers requests for other tables with the bytes of the upstream', async () => {
      const ask = async (url: string, operation: string, body: string) => {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/x-amz-json-1.0',
            'x-amz-target': `DynamoDB_20120810.${operation}`,
            authorization:
              'AWS4-HMAC-SHA256 Credential=any/20261123/eu-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
            'x-amz-date': '20261123T000000Z',
          },
          body,
        })
        const { status, headers } = response
        return { status, text: await response.text(), crc32: headers.get('x-amz-crc32') }
      }
      for (const [operation, body] of [
        ['GetItem', '{"TableName":"plain","Key":{"pk":{"S":"orders"}}}'],
        ['Scan', '{"TableName":"plain","ReturnConsumedCapacity":"TOTAL"}'],
        ['GetItem', '{"TableName":"plain","Key":{"pk":{"N":"1"}}}'],
        ['DescribeTable', '{"TableName":"orders"}'],
        ['ListTables', '{"Limit":1}'],
        ['Query', '{"TableName":"plain","KeyConditionExpression":"pk ="}'],
      ] as const) {
        expect(await ask(proxied.url, operation, body)).toEqual(
          await ask(proxied.upstreamUrl, operation, body),
        )
      }
    })
  })
})
