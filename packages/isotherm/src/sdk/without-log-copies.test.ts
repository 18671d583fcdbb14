import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { shardedEngine } from '../../test/sharded-engine.js'
import { fixedShards } from '../scaling/shards.js'
import { withoutLogCopies } from './without-log-copies.js'

/** Whether the SDK would copy what it logs. */
function copies(logger: object | undefined): boolean {
  const context: { logger: never; dynamoDbDocumentClientOptions?: object } = { logger: logger as never }
  withoutLogCopies(context)
  return context.dynamoDbDocumentClientOptions === undefined
}

const quiet = () => new DynamoDBClient({ region: 'eu-central-1' }).config.logger

describe('a request whose log is spared its copies', () => {
  it('has the default logger of the SDK', () => {
    expect(copies(quiet())).toBe(false)
  })

  it('has a logger whose methods are empty, in any form', () => {
    const error = () => {}
    expect(copies({ error, info() {} })).toBe(false)
    expect(copies({ error, info: (_content: unknown) => {} })).toBe(false)
    // As a minifier writes it.
    expect(copies({ error, info: new Function('') })).toBe(false)
    expect(copies({ error })).toBe(false)
  })

  it('has no logger that does something', () => {
    const error = () => {}
    const logged: unknown[] = []
    expect(copies(console)).toBe(true)
    expect(copies({ error, info: (content: unknown) => logged.push(content) })).toBe(true)
    expect(copies({ error, info: (content = logged.push('default')) => void content })).toBe(true)
    expect(copies({ error: console.error, info: error })).toBe(true)
    expect(copies({ error, info: logged.push.bind(logged) })).toBe(true)
  })

  it('is judged anew when the application replaces a method of the logger', () => {
    const logger = quiet()
    expect(copies(logger)).toBe(false)
    Object.assign(logger, { info: console.info })
    expect(copies(logger)).toBe(true)
  })
})

describe.each(['random', 'calculated'] as const)('with a %s suffix, the logger of a client', (suffix) => {
  it('gets the input and the output of every request', async () => {
    const engine = await shardedEngine({ suffix, shards: fixedShards(1), checkItems: false })
    const logged: { input: unknown; output: unknown }[] = []
    Object.assign(engine.client.config.logger, {
      info: (content: (typeof logged)[0]) => logged.push(content),
    })
    await engine.clock.run(async () => {
      const db = engine.process()
      const Item = { pk: { S: 'k' }, sk: { N: '1' } }
      await db.send(new PutItemCommand({ TableName: 'log', Item }))
      await db.send(new GetItemCommand({ TableName: 'log', Key: Item }))
    })
    const [put, get] = logged
    expect(put?.input).toMatchObject({ Item: { sk: { N: '1' } } })
    expect(JSON.stringify(get?.output)).toContain('"sk":{"N":"1"}')
    expect(logged).toHaveLength(2)
    await engine.close()
  })
})
