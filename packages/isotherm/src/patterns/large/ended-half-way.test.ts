import { DeleteTableCommand, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom } from '@isotherm/runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PatternClient } from '../sending/pattern-client.js'
import { ensureChunkTable } from './ensure-chunk-table.js'
import { large } from './large.js'

const key = { id: 'a' }
const MINUTE = 60_000

let local: ReturnType<typeof createLocal>
let client: DynamoDBClient
let now = 0

beforeEach(async () => {
  now = 1_800_000_000_000
  local = createLocal({ throttle: false })
  client = local.client()
  await client.send(createTable('documents', ['id']))
  await ensureChunkTable(client, { table: 'documents' })
})
afterEach(() => local.close())

const random = new SeededRandom(1)
const clock = { now: () => now, sleep: async () => {} }
const documents = (db: PatternClient) =>
  large(db, {
    table: 'documents',
    partitionKey: 'id',
    compression: 'none',
    maxInlineBytes: 8_192,
    pieceBytes: 8_000,
    concurrency: 2,
    clock,
    random,
  })
const body = (letter: string) => letter.repeat(20_000)

/** The process ends with its request number `last`, which is carried out or not. */
function endingClient(last: number, how: 'before' | 'behind') {
  let requests = 0
  const send = async (command: never, options: never) => {
    requests += 1
    if (requests > last || (requests === last && how === 'before')) throw new Error('the process has ended')
    const output = await client.send(command, options)
    if (requests === last) throw new Error('the process has ended')
    return output
  }
  return { send, config: {}, middlewareStack: {}, requests: () => requests }
}

async function chunkItems(): Promise<readonly string[]> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: 'documents_chunks' }))
  return Items.map(({ name }) => name?.S ?? '').sort()
}

/** Writes and deletes that meet an item with pieces. */
const CHANGES = {
  'a put with pieces': (table: ReturnType<typeof documents>) => table.put({ ...key, body: body('n') }),
  'a put without pieces': (table: ReturnType<typeof documents>) => table.put({ ...key, body: 'n' }),
  'a delete': (table: ReturnType<typeof documents>) => table.delete(key),
}
const AFTER = {
  'a put with pieces': { ...key, body: body('n') },
  'a put without pieces': { ...key, body: 'n' },
  'a delete': undefined,
} as const

describe.each(Object.keys(CHANGES) as (keyof typeof CHANGES)[])('%s that ends half-way', (change) => {
  it.each(['before', 'behind'] as const)(
    'leaves the old item or the new one, and pieces that a collection deletes, ended %s any request',
    async (how) => {
      const seen = new Set<string>()
      for (let last = 1; last < 40; last++) {
        await documents(client).put({ ...key, body: body('o') })
        const ending = endingClient(last, how)
        const isDone = await CHANGES[change](documents(ending)).then(
          () => true,
          () => false,
        )
        const read = await documents(client).get(key, { consistent: true })
        const isNew = JSON.stringify(read) === JSON.stringify(AFTER[change])
        if (!isNew) expect(read).toEqual({ ...key, body: body('o') })
        if (isDone) expect(isNew).toBe(true)
        seen.add(isNew ? 'new' : 'old')
        for (let times = 0; times < 2; times++) {
          now += 31 * MINUTE
          await documents(client).collect()
        }
        expect(await documents(client).get(key, { consistent: true })).toEqual(read)
        const pieces = typeof read?.body === 'string' && read.body.length > 1 ? 3 : 0
        expect(await chunkItems()).toHaveLength(pieces)
        if (isDone && ending.requests() < last) break
      }
      expect(seen).toEqual(new Set(['old', 'new']))
    },
  )
})

describe('a put that is slower than a collection', () => {
  it('fails, and nothing of it is visible', async () => {
    const slow = {
      ...endingClient(Number.POSITIVE_INFINITY, 'before'),
      send: async (command: never, options: never) => {
        if ((command as object).constructor.name === 'TransactWriteItemsCommand') {
          now += 31 * MINUTE
          await documents(client).collect()
        }
        return client.send(command, options)
      },
    }
    await documents(client).put({ ...key, body: 'old' })
    await expect(documents(slow).put({ ...key, body: body('n') })).rejects.toMatchObject({
      code: 'large.late',
    })
    expect(await documents(client).get(key)).toEqual({ ...key, body: 'old' })
    now += 31 * MINUTE
    await documents(client).collect()
    expect(await chunkItems()).toEqual([])
  })

  it('writes no more pieces when its time is over', async () => {
    const slow = {
      ...endingClient(Number.POSITIVE_INFINITY, 'before'),
      send: async (command: never, options: never) => {
        now += 6 * MINUTE
        return client.send(command, options)
      },
    }
    await expect(documents(slow).put({ ...key, body: body('n') })).rejects.toMatchObject({
      code: 'large.late',
      details: { table: 'documents', milliseconds: 15 * MINUTE },
    })
    expect(await documents(client).get(key)).toBeUndefined()
  })
})

describe('a collection', () => {
  it('leaves alone what is young, stops after as many as asked for, and is continued', async () => {
    for (const id of ['a', 'b', 'c']) {
      const table = documents(endingClient(3, 'before'))
      await expect(table.put({ id, body: body('x') })).rejects.toThrow('the process has ended')
    }
    expect(await documents(client).collect()).toEqual({ contents: 0, pieces: 0, journalKeys: 16 })
    now += 31 * MINUTE
    expect((await documents(client).collect({ maxContents: 2 })).contents).toBe(2)
    const progress: number[] = []
    const onProgress = ({ contents }: { readonly contents: number }) => progress.push(contents)
    await documents(client).collect({ onProgress })
    expect(progress).toEqual([1])
    now += 31 * MINUTE
    await documents(client).collect()
    expect(await chunkItems()).toEqual([])
  })
})

describe('a reader', () => {
  it('gets the new item when the old one is replaced while its pieces are read', async () => {
    await documents(client).put({ ...key, body: body('o') })
    let reads = 0
    const racing = {
      ...endingClient(0, 'before'),
      send: async (command: never, options: never) => {
        reads += 1
        if (reads === 3) await documents(client).put({ ...key, body: body('n') })
        return client.send(command, options)
      },
    }
    expect(await documents(racing).get(key)).toEqual({ ...key, body: body('n') })
  })

  it('is told of pieces that are gone for ever', async () => {
    await documents(client).put({ ...key, body: body('o') })
    await client.send(new DeleteTableCommand({ TableName: 'documents_chunks' }))
    await ensureChunkTable(client, { table: 'documents' })
    await expect(documents(client).get(key)).rejects.toMatchObject({ code: 'large.corrupt' })
  })
})
