import { randomBytes } from 'node:crypto'
import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type PatternEngine, patternEngine } from '../../../test/pattern-engine.js'
import { warmedUp } from '../../../test/warmed-up.js'
import { ensureChunkTable } from './ensure-chunk-table.js'
import { large } from './large.js'

const key = { id: 'a' }
const HOUR = 3_600_000

let engine: PatternEngine
beforeEach(async () => {
  engine = await patternEngine([createTable('documents', ['id'])], { throttle: false })
  const { clock, client } = engine
  await clock.run(() => ensureChunkTable(client, { table: 'documents', clock }))
})
afterEach(() => engine.local.close())

const documents = (db: DynamoDBClient) =>
  large(db, { table: 'documents', partitionKey: 'id', compression: 'none', clock: engine.clock })
const scan = () => new Uint8Array(randomBytes(500_000))
const timeout = () => Object.assign(new Error('No answer came.'), { name: 'TimeoutError' })

type Attempt = () => Promise<unknown>

/** A client whose attempts of one command go through a function. */
async function clientWhose(
  commandName: string,
  onAttempt: (attempt: Attempt, attempts: number) => Promise<unknown>,
): Promise<DynamoDBClient> {
  const client = await warmedUp(engine.local.client({ maxAttempts: 3 }))
  let attempts = 0
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const { TableName } = args.input as { readonly TableName?: string }
      if (context.commandName !== commandName || TableName === 'documents') return next(args)
      attempts += 1
      return onAttempt(() => next(args), attempts) as ReturnType<typeof next>
    },
    { step: 'finalizeRequest', priority: 'low', name: 'attempts' },
  )
  return client
}

/** Of all entries of the journal. */
async function states(): Promise<readonly (string | undefined)[]> {
  const { Items = [] } = await engine.client.send(new ScanCommand({ TableName: 'documents_chunks' }))
  return Items.filter(({ name }) => name?.S?.startsWith('journal/')).map(({ state }) => state?.S)
}

async function pieceCount(): Promise<number> {
  const { Items = [] } = await engine.client.send(new ScanCommand({ TableName: 'documents_chunks' }))
  return Items.filter(({ name }) => !name?.S?.startsWith('journal/')).length
}

describe('the entry of a content', () => {
  it('that arrives after its put is of a name that no item has, so that a collection deletes no piece of one', async () => {
    const { clock, client } = engine
    let late = Promise.resolve()
    const slow = await clientWhose('PutItemCommand', async (attempt, attempts) => {
      if (attempts > 1) return attempt()
      late = clock.sleep(5_000).then(async () => void (await attempt()))
      throw timeout()
    })
    await clock.run(async () => {
      const body = scan()
      await documents(slow).put({ ...key, body })
      await late
      expect(await states()).toEqual(['writing'])
      for (let times = 0; times < 2; times++) {
        await clock.sleep(HOUR)
        await documents(client).collect()
      }
      expect(await states()).toEqual([])
      expect(Buffer.compare((await documents(client).get(key))?.body as Uint8Array, body)).toBe(0)
    })
  })

  it('is sent once for each name, and the last error is thrown', async () => {
    const names = new Set<string>()
    const { clock } = engine
    const lost = await clientWhose('PutItemCommand', async (attempt) => {
      await attempt()
      throw timeout()
    })
    await clock.run(async () => {
      await expect(documents(lost).put({ ...key, body: scan() })).rejects.toMatchObject({
        name: 'TimeoutError',
      })
      const { Items = [] } = await engine.client.send(new ScanCommand({ TableName: 'documents_chunks' }))
      for (const { content } of Items) names.add(content?.S ?? '')
      expect(names.size).toBe(5)
    })
  })
})

describe('a put that is refused while its first attempt is under way', () => {
  const isDraft = { expression: '#s = :d', names: { '#s': 'state' }, values: { ':d': 'draft' } }

  it('is fenced before its pieces are deleted, so that the attempt changes nothing', async () => {
    const { clock, client } = engine
    let late: Promise<unknown> = Promise.resolve()
    const slow = await clientWhose('TransactWriteItemsCommand', async (attempt, attempts) => {
      if (attempts > 1) return attempt()
      late = clock.sleep(5_000).then(() => attempt().catch((error: unknown) => error))
      throw timeout()
    })
    await clock.run(async () => {
      await documents(client).put({ ...key, state: 'locked' })
      const refused = documents(slow).put({ ...key, state: 'draft', body: scan() }, { condition: isDraft })
      await expect(refused).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' })
      expect(await states()).toEqual(['collecting'])
      expect(await pieceCount()).toBe(0)
      await documents(client).update(key, { set: { state: 'draft' } })
      expect(await late).toMatchObject({ name: 'TransactionCanceledException' })
      expect(await documents(client).get(key)).toEqual({ ...key, state: 'draft' })
    })
  })

  it('keeps its pieces if the attempt was carried out before the fence', async () => {
    const { clock, client } = engine
    const body = scan()
    let first: Attempt = async () => {}
    const slow = await clientWhose('TransactWriteItemsCommand', async (attempt, attempts) => {
      if (attempts === 1) {
        first = attempt
        throw timeout()
      }
      const refusal = await attempt().catch((error: unknown) => error)
      await documents(client).update(key, { set: { state: 'draft' } })
      await first()
      throw refusal
    })
    await clock.run(async () => {
      await documents(client).put({ ...key, state: 'locked' })
      const refused = documents(slow).put({ ...key, state: 'draft', body }, { condition: isDraft })
      await expect(refused).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' })
      expect(await states()).toEqual([])
      expect(Buffer.compare((await documents(client).get(key))?.body as Uint8Array, body)).toBe(0)
    })
  })
})
