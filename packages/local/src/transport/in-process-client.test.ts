import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClientConfig,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, describe, expect, it } from 'vitest'
import { createLocal } from '../index.js'

const TABLE: CreateTableCommandInput = {
  TableName: 'files',
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [{ AttributeName: 'path', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'path', AttributeType: 'S' }],
}
type Handler = (args: { readonly input: object }) => Promise<unknown>

const ITEM = { path: { S: '/favicon.ico' } }

describe('a client in the process of its engine', () => {
  let close = async () => {}
  afterEach(() => close())

  function clientOf(config: DynamoDBClientConfig = {}) {
    const local = createLocal()
    close = () => local.close()
    return local.client(config)
  }

  it('resolves no endpoint, neither for its own commands nor for those of a document client', async () => {
    let resolved = 0
    const client = clientOf({
      endpointProvider: () => {
        resolved += 1
        return { url: new URL('http://elsewhere.example') }
      },
    })
    await client.send(new CreateTableCommand(TABLE))
    await client.send(new PutItemCommand({ TableName: 'files', Item: ITEM }))
    await DynamoDBDocumentClient.from(client).send(
      new PutCommand({ TableName: 'files', Item: { path: '/logo.png' } }),
    )
    const { Item } = await client.send(
      new GetItemCommand({ TableName: 'files', Key: { path: { S: '/logo.png' } } }),
    )
    expect(Item).toEqual({ path: { S: '/logo.png' } })
    expect(resolved).toBe(0)
  })

  it('resolves none for commands of a copied stack', async () => {
    let resolved = 0
    const client = clientOf({
      endpointProvider: () => {
        resolved += 1
        return { url: new URL('http://elsewhere.example') }
      },
    })
    const copied = client.middlewareStack.clone()
    const send = new ListTablesCommand({}).resolveMiddleware(copied, client.config, {})
    const { output } = await send({ input: {} })
    expect(output.TableNames).toEqual([])
    expect(resolved).toBe(0)
  })

  it.each(['endpointV2Middleware', 'serializerMiddleware'])(
    'has a place for middleware of a command that is relative to %s',
    async (toMiddleware) => {
      const client = clientOf()
      const command = new ListTablesCommand({})
      const seen: unknown[] = []
      const look = (next: Handler) => (args: Parameters<Handler>[0]) => {
        seen.push(args.input)
        return next(args)
      }
      command.middlewareStack.addRelativeTo(look as never, { name: 'look', relation: 'after', toMiddleware })
      await client.send(command)
      expect(seen).toEqual([{}])
    },
  )

  it('logs each request to the logger that it is given', async () => {
    const logged: object[] = []
    const nothing = () => {}
    const logger = { trace: nothing, debug: nothing, info: (entry: object) => logged.push(entry) }
    const client = clientOf({ logger: { ...logger, warn: nothing, error: nothing } })
    await client.send(new ListTablesCommand({}))
    expect(logged).toMatchObject([
      { commandName: 'ListTablesCommand', input: {}, output: { TableNames: [] } },
    ])
  })

  it('logs each request to a method that replaces one of the default logger', async () => {
    const client = clientOf()
    await client.send(new ListTablesCommand({}))
    const logged: object[] = []
    Object.assign(client.config.logger, { info: (entry: object) => logged.push(entry) })
    await client.send(new ListTablesCommand({}))
    expect(logged).toMatchObject([{ commandName: 'ListTablesCommand', output: { TableNames: [] } }])
  })

  it('makes no copies for the default logger, which ignores them', async () => {
    const command = new PutItemCommand({ TableName: 'files', Item: ITEM })
    const client = clientOf()
    await client.send(new CreateTableCommand(TABLE))
    let filtered: unknown
    client.middlewareStack.add(
      (next, context) => (args) => {
        filtered = context.dynamoDbDocumentClientOptions
        return next(args)
      },
      { step: 'build' },
    )
    await client.send(command)
    expect(filtered).toMatchObject({ overrideInputFilterSensitiveLog: expect.any(Function) })
  })
})
