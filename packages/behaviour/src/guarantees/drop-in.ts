import {
  DescribeTableCommand,
  DynamoDB,
  DynamoDBClient,
  ListTablesCommand,
  PutItemCommand,
  paginateQuery as paginateLowLevelQuery,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import {
  DynamoDBDocument,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  paginateScan,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { isotherm } from 'isotherm'
import { expect } from 'vitest'
import type { Laboratory } from '../laboratory/laboratory.js'
import type { Guarantees } from './guarantee.js'

const orderOf = (lab: Laboratory, customer: string, order_id = '1') => ({
  TableName: lab.names.sharded.orders,
  Key: { customer, order_id },
})

export const dropIn: Guarantees = {
  subject: 'Drop-in',
  file: 'drop-in.ts',
  all: [
    {
      sentence:
        'The returned client has the class, the config and the middleware of the client that was passed in.',
      async holds(lab) {
        const plain = isotherm(lab.client, lab.options())
        const documents = isotherm(lab.documents, lab.options())
        expect(plain).toBeInstanceOf(DynamoDBClient)
        expect(documents).toBeInstanceOf(DynamoDBDocumentClient)
        expect(plain.config).toBe(lab.client.config)
        expect(plain.middlewareStack.identify()).toEqual(lab.client.middlewareStack.identify())
        const name = 'of the drop-in'
        plain.middlewareStack.add((next) => next, { step: 'build', name })
        expect(lab.client.middlewareStack.remove(name)).toBe(true)
        expect(plain.middlewareStack.identify()).toEqual(lab.client.middlewareStack.identify())
      },
    },
    {
      sentence: 'A document client that is made from a sharded client is sharded.',
      async holds(lab) {
        const customer = lab.key()
        const documents = DynamoDBDocumentClient.from(lab.lowLevel())
        const TableName = lab.names.sharded.orders
        for (const order_id of ['a', 'b', 'c', 'd', 'e', 'f']) {
          await documents.send(new PutCommand({ TableName, Item: { customer, order_id } }))
        }
        const stored = await lab.stored('orders', customer)
        expect(stored).toHaveLength(6)
        const { Item } = await documents.send(new GetCommand({ TableName, Key: { customer, order_id: 'c' } }))
        expect(Item).toEqual({ customer, order_id: 'c' })
      },
    },
    {
      sentence: 'The client that was passed in is not changed, and still writes every key as given.',
      async holds(lab) {
        const customer = lab.key()
        const before = Object.keys(lab.documents)
        isotherm(lab.documents, lab.options())
        expect(Object.keys(lab.documents)).toEqual(before)
        const { TableName, Key } = orderOf(lab, `${customer}_1`)
        await lab.documents.send(new PutCommand({ TableName, Item: Key }))
        expect((await lab.documents.send(new GetCommand({ TableName, Key }))).Item).toEqual(Key)
      },
    },
    {
      sentence:
        'Stock commands of the plain client and of the document client return stock results with logical keys.',
      async holds(lab) {
        const customer = lab.key()
        const process = lab.process()
        const { TableName, Key } = orderOf(lab, customer)
        const put = await process.send(new PutCommand({ TableName, Item: { ...Key, tags: new Set(['a']) } }))
        expect(put.$metadata.httpStatusCode).toBe(200)
        const { Attributes } = await process.send(
          new UpdateCommand({
            TableName,
            Key,
            UpdateExpression: 'SET amount = :amount',
            ExpressionAttributeValues: { ':amount': 7 },
            ReturnValues: 'ALL_NEW',
          }),
        )
        expect(Attributes).toEqual({ ...Key, tags: new Set(['a']), amount: 7 })
        const pages = paginateLowLevelQuery(
          { client: lab.lowLevel() },
          {
            TableName,
            KeyConditionExpression: 'customer = :customer',
            ExpressionAttributeValues: { ':customer': { S: customer } },
          },
        )
        for await (const { Items } of pages) {
          expect(Items).toEqual([
            { customer: { S: customer }, order_id: { S: '1' }, tags: { SS: ['a'] }, amount: { N: '7' } },
          ])
        }
      },
    },
    {
      sentence: 'The clients with a method for each command work too.',
      async holds(lab) {
        const customer = lab.key()
        const { TableName, Key } = orderOf(lab, customer)
        const settings = lab.client.config
        const client = new DynamoDB({
          region: settings.region,
          credentials: settings.credentials,
          requestHandler: settings.requestHandler,
          ...(settings.endpoint === undefined ? {} : { endpoint: settings.endpoint }),
        })
        const methods = isotherm(client, lab.options())
        await methods.putItem({ TableName, Item: { customer: { S: customer }, order_id: { S: '1' } } })
        const documents = isotherm(DynamoDBDocument.from(client), lab.options())
        expect((await documents.get({ TableName, Key })).Item).toEqual(Key)
        expect(await lab.stored('orders', customer)).toHaveLength(1)
        expect((await lab.stored('orders', customer))[0]?.physical).not.toBe(customer)
      },
    },
    {
      sentence: "The SDK's paginators page through sharded queries and scans.",
      async holds(lab) {
        const key = lab.key()
        const process = lab.process()
        for (let at = 0; at < 25; at++) await process.send(appendOf(lab, key, at))
        const seen: unknown[] = []
        for await (const { Items = [] } of paginateQuery(
          { client: process, pageSize: 4 },
          lab.ofKey('log', key),
        )) {
          seen.push(...Items.map(({ at }) => at))
        }
        expect(seen).toEqual(Array.from({ length: 25 }, (_, at) => at))
        let scanned = 0
        const pages = paginateScan({ client: process, pageSize: 7 }, { TableName: lab.names.sharded.log })
        for await (const { Items = [] } of pages) {
          scanned += Items.filter(({ file_path }) => file_path === key).length
        }
        expect(scanned).toBe(25)
      },
    },
    {
      sentence: "The SDK's waiters work with the client.",
      async holds(lab) {
        const { state } = await waitUntilTableExists(
          { client: lab.lowLevel(), minDelay: 1, maxDelay: 2, maxWaitTime: 10 },
          { TableName: lab.names.sharded.log },
        )
        expect(state).toBe('SUCCESS')
      },
    },
    {
      sentence: 'Callbacks are called with the result, and with the error.',
      async holds(lab) {
        const process = lab.process()
        const result = await new Promise((resolve, reject) => {
          const get = new GetCommand(orderOf(lab, lab.key()))
          process.send(get, (error: unknown, output: unknown) => (error ? reject(error) : resolve(output)))
        })
        expect(result).toMatchObject({ $metadata: {} })
        const failure = await new Promise((resolve) => {
          const incomplete = new PutCommand({ TableName: lab.names.sharded.orders, Item: { amount: 1 } })
          process.send(incomplete, {}, (error: unknown) => resolve(error))
        })
        expect(failure).toMatchObject({ code: 'key.missing' })
      },
    },
    {
      sentence: 'An aborted request ends at once. A request aborted before it is sent writes nothing.',
      async holds(lab) {
        const customer = lab.key()
        const { TableName, Key } = orderOf(lab, customer)
        const aborted = { abortSignal: AbortSignal.abort() }
        const process = lab.process()
        await expect(process.send(new PutCommand({ TableName, Item: Key }), aborted)).rejects.toMatchObject({
          name: 'AbortError',
        })
        await expect(process.send(appendOf(lab, customer, 1), aborted)).rejects.toMatchObject({
          name: 'AbortError',
        })
        await expect(
          process.send(new QueryCommand(lab.ofKey('log', customer)), aborted),
        ).rejects.toMatchObject({
          name: 'AbortError',
        })
        expect(await lab.stored('orders', customer)).toEqual([])
        expect(await lab.stored('log', customer)).toEqual([])
      },
    },
    {
      sentence:
        'Requests for unconfigured tables, and commands that do not concern items, pass through unchanged.',
      async holds(lab) {
        const process = lab.lowLevel()
        const customer = lab.key()
        const TableName = lab.names.plain.orders
        await process.send(
          new PutItemCommand({ TableName, Item: { customer: { S: customer }, order_id: { S: '1' } } }),
        )
        expect(await lab.query(lab.documents, 'orders', customer, { plain: true })).toEqual([
          { customer, order_id: '1' },
        ])
        const { Table } = await process.send(new DescribeTableCommand({ TableName: lab.names.sharded.log }))
        expect(Table?.TableName).toBe(lab.names.sharded.log)
        expect((await process.send(new ListTablesCommand({}))).TableNames).toContain(lab.names.sharded.log)
      },
    },
    {
      sentence: "The application's middleware on the client sees every physical request.",
      async holds(lab) {
        const customer = lab.key()
        const client = DynamoDBDocumentClient.from(lab.client)
        const keys: unknown[] = []
        client.middlewareStack.add(
          (next) => async (args) => {
            const { TableName, Item } = args.input as {
              TableName?: string
              Item?: { customer?: { S?: string } }
            }
            if (TableName === lab.names.sharded.orders) keys.push(Item?.customer?.S)
            return next(args)
          },
          { step: 'build', name: 'recorder' },
        )
        try {
          const { TableName, Key } = orderOf(lab, customer)
          await isotherm(client, lab.options()).send(new PutCommand({ TableName, Item: Key }))
        } finally {
          client.middlewareStack.remove('recorder')
        }
        const [stored] = await lab.stored('orders', customer)
        expect(keys).toEqual([stored?.physical])
      },
    },
    {
      sentence: 'The physical requests of a command can be listed without sending them.',
      async holds(lab) {
        const customer = lab.key()
        const { TableName, Key } = orderOf(lab, customer)
        const process = lab.process()
        const requests = await process.explain(new PutCommand({ TableName, Item: Key }))
        expect(await lab.stored('orders', customer)).toEqual([])
        await process.send(new PutCommand({ TableName, Item: Key }))
        const [stored] = await lab.stored('orders', customer)
        expect(requests).toEqual([
          {
            operation: 'PutItem',
            input: expect.objectContaining({
              TableName,
              Item: { customer: { S: stored?.physical }, order_id: { S: '1' } },
            }),
          },
        ])
      },
    },
  ],
}

function appendOf(lab: Laboratory, file_path: string, at: number): PutCommand {
  return new PutCommand({ TableName: lab.names.sharded.log, Item: { file_path, at } })
}
