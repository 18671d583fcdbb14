import { readFileSync } from 'node:fs'
import { CreateTableCommand, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { queue, queueTable } from './index.js'

const options = { table: 'jobs', partitionKey: 'id', maxAttempts: 1 } as const
const untilEmpty = { untilEmpty: true } as const

async function engineWith() {
  const tables = [new CreateTableCommand(queueTable(options)), createTable('ledger', ['entry'])]
  const engine = await patternEngine(tables, { throttle: false })
  const { clock, client } = engine
  return { ...engine, jobs: queue<number>(client, { ...options, clock, random: new SeededRandom(1) }) }
}

const put = (entry: string) => ({ Put: { TableName: 'ledger', Item: { entry: { S: entry } } } })
const written = async (client: DynamoDBClient) =>
  (await client.send(new ScanCommand({ TableName: 'ledger' }))).Count

describe('the result of a handler', () => {
  it.each([
    ['one write', put('a'), '[object Object]'],
    ['a set of writes', new Set([put('a')]), '[object Set]'],
    ['a number', 1, '[object Number]'],
    ['a list with something else', [put('a'), null], 'a list with other members'],
  ])('fails the attempt if it is %s, so that no write is lost in silence', async (_kind, result, kind) => {
    const { clock, client, jobs } = await engineWith()
    await clock.run(async () => {
      await jobs.enqueue(1)
      const report = await jobs.work(async () => result as never, untilEmpty)
      expect(report).toMatchObject({ done: 0, failed: 1, dead: 1 })
      const [letter] = await jobs.deadLetters()
      expect(letter?.reason).toBe(
        `IsothermError: queue.work: the result of the handler is "${kind}"; it must be a list of writes, or nothing.`,
      )
      expect(await written(client)).toBe(0)
    })
  })

  it.each([undefined, null, []])('may be %o', async (result) => {
    const { clock, jobs } = await engineWith()
    await clock.run(async () => {
      await jobs.enqueue(1)
      expect(await jobs.work(async () => result as never, untilEmpty)).toMatchObject({ done: 1 })
    })
  })

  it('may have attributes that are undefined, with a document client, which leaves them out', async () => {
    const { clock, client } = await engineWith()
    const document = DynamoDBDocumentClient.from(client)
    const Item = { entry: 'a', note: undefined, count: 1 }
    const Key = { entry: 'b' }
    const update = {
      UpdateExpression: 'SET kind = :kind',
      ExpressionAttributeValues: { ':kind': 'x', ':no': undefined },
    }
    const writes = [
      { Put: { TableName: 'ledger', Item } },
      { Update: { TableName: 'ledger', Key, ...update } },
    ]
    await clock.run(async () => {
      const jobs = queue(document, { ...options, clock, random: new SeededRandom(1) })
      await jobs.enqueue(1)
      expect(await jobs.work(async () => writes, untilEmpty)).toMatchObject({ done: 1 })
      const { Items = [] } = await client.send(new ScanCommand({ TableName: 'ledger' }))
      expect(Items).toContainEqual({ entry: { S: 'a' }, count: { N: '1' } })
      expect(Items).toContainEqual({ entry: { S: 'b' }, kind: { S: 'x' } })
    })
  })

  it('is stored as the document client stores it, with the options of that client', async () => {
    class Address {
      readonly street = 'Main'
      readonly zip = undefined
      readonly lines = ['', undefined, 'x']
    }
    const marshallOptions = {
      removeUndefinedValues: true,
      convertEmptyValues: true,
      convertClassInstanceToMap: true,
    }
    const item = (entry: string) => ({
      entry,
      note: '',
      address: new Address(),
      nested: {
        none: undefined,
        list: [{ none: undefined, set: new Set([undefined, 'a']) }],
        bytes: new Uint8Array(),
      },
      nothing: new Set([undefined]),
    })
    const { clock, client } = await engineWith()
    const document = DynamoDBDocumentClient.from(client, { marshallOptions })
    await clock.run(async () => {
      await document.send(new PutCommand({ TableName: 'ledger', Item: item('a') }))
      const jobs = queue(document, { ...options, clock, random: new SeededRandom(1) })
      await jobs.enqueue(1)
      const writes = [{ Put: { TableName: 'ledger', Item: item('b') } }]
      expect(await jobs.work(async () => writes, untilEmpty)).toMatchObject({ done: 1 })
      const { Items: [one, other] = [] } = await client.send(new ScanCommand({ TableName: 'ledger' }))
      expect({ ...other, entry: one?.entry }).toEqual(one)
      expect(one?.address).toEqual({
        M: { street: { S: 'Main' }, lines: { L: [{ NULL: true }, { S: 'x' }] } },
      })
    })
  })

  it.each([
    ['an undefined member without the option for it', { map: { none: undefined } }, {}],
    ['a date', { at: new Date(0) }, { convertClassInstanceToMap: true }],
  ])('fails the attempt if it has %s', async (_what, attributes, marshallOptions) => {
    const { clock, client } = await engineWith()
    await clock.run(async () => {
      const document = DynamoDBDocumentClient.from(client, { marshallOptions })
      const jobs = queue(document, { ...options, clock, random: new SeededRandom(1) })
      await jobs.enqueue(1)
      const writes = [{ Put: { TableName: 'ledger', Item: { entry: 'a', ...attributes } } }]
      expect(await jobs.work(async () => writes, untilEmpty)).toMatchObject({ done: 0, dead: 1 })
    })
  })

  it.each([{}, { entity: 'e' }])(
    'may have 98 writes, as the guide says, with the options %o',
    async (given) => {
      const { clock, client, jobs } = await engineWith()
      const guide = readFileSync(new URL('../../../../../docs/queue.md', import.meta.url), 'utf8')
      expect(guide).toContain('at most 98')
      await clock.run(async () => {
        // With others behind it, it has a successor to bring forward.
        for (let n = 0; n < 2; n++) await jobs.enqueue(n, given)
        const handler = async ({ payload }: { payload: number }) =>
          Array.from({ length: 98 }, (_, index) => put(`${payload} ${index}`))
        for (let n = 0; n < 2; n++) await jobs.work(handler, untilEmpty)
        expect(await jobs.stats()).toMatchObject({ due: 0, later: 0, dead: 0 })
        expect(await written(client)).toBe(196)
      })
    },
  )
})

describe('the reason of a failure', () => {
  const reasonAfter = async (thrown: unknown) => {
    const { clock, jobs } = await engineWith()
    let reason: string | undefined
    await clock.run(async () => {
      await jobs.enqueue(1)
      await jobs.work(async () => {
        throw thrown
      }, untilEmpty)
      reason = (await jobs.deadLetters())[0]?.reason
    })
    return reason
  }

  it('has no half of a surrogate pair', async () => {
    const most = 'x'.repeat(1_000 - 'Error: '.length - 1)
    expect(await reasonAfter(new Error(`${most}😀`))).toBe(`Error: ${most}`)
    expect(await reasonAfter(new Error('a\ud800b😀'))).toBe('Error: ab😀')
  })

  it('is that of any value that is thrown', async () => {
    expect(await reasonAfter('no')).toBe('no')
    expect(await reasonAfter(Object.create(null))).toBe('[object Object]')
  })
})
