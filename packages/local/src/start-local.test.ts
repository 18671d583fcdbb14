import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBStreamsClient, ListStreamsCommand } from '@aws-sdk/client-dynamodb-streams'
import { createTable } from '@isotherm/fixtures'
import { SystemClock } from '@isotherm/runtime'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LocalError } from './errors/local-error.js'
import { createLocal, type Local } from './local.js'
import { type StartOptions, startLocal } from './start-local.js'

const started: Local[] = []
afterEach(async () => {
  for (const local of started.splice(0)) await local.close()
})

async function start(options: StartOptions = {}): Promise<Local> {
  const local = await startLocal(options)
  started.push(local)
  return local
}

const THINGS = createTable('things', ['id'], { stream: 'NEW_IMAGE' })
const put = (id: string) => new PutItemCommand({ TableName: 'things', Item: { id: { S: id } } })
const get = (id: string) => new GetItemCommand({ TableName: 'things', Key: { id: { S: id } } })
const tablesOf = async (client: DynamoDBClient) => (await client.send(new ListTablesCommand({}))).TableNames

describe('a local DynamoDB for tests', () => {
  it('opens no socket unless a port is given', async () => {
    expect(await start()).not.toHaveProperty('url')
    const local = await startLocal({ port: 0 })
    started.push(local)
    const { credentials, region } = local.connection()
    const client = new DynamoDBClient({ endpoint: local.url, region, credentials: { ...credentials } })
    await client.send(THINGS)
    expect(await tablesOf(local.client())).toEqual(['things'])
    client.destroy()
  })

  it('rejects a host without a port', async () => {
    const options = { host: '127.0.0.1' } as StartOptions
    await expect(startLocal(options)).rejects.toMatchObject({ code: 'options.invalid' })
  })

  it('releases everything when its port is taken', async () => {
    const { port } = await (await start()).listen({ port: 0 })
    const data = mkdtempSync(join(tmpdir(), 'isotherm-start-'))
    const taken = await start().then((local) => local.listen({ port: 0 }))
    await expect(startLocal({ port: taken.port, data })).rejects.toMatchObject({
      code: 'endpoint.port-taken',
    })
    expect(port).toBeGreaterThan(0)
    // The directory can be used again.
    const local = await start({ data })
    await local.close()
    rmSync(data, { recursive: true })
  })

  it('releases its data directory, and removes its trace, if it cannot be opened', async () => {
    const data = mkdtempSync(join(tmpdir(), 'isotherm-start-'))
    const first = await start({ data })
    await first.client().send(THINGS)
    await first.close()
    const file = join(data, 'items.mdb')
    const bytes = readFileSync(file)
    const name = '"deletionProtection"'
    for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at)) bytes.write('X', at + 1)
    writeFileSync(file, bytes)
    const trace = join(data, '../trace-of-a-damaged-directory.jsonl')
    const refusal = () => {
      try {
        createLocal({ data, trace, onBug: () => {} })
        return 'none'
      } catch (error) {
        return error instanceof LocalError ? error.code : error
      }
    }
    expect(refusal()).toBe('storage.damaged')
    await vi.waitFor(() => expect(existsSync(trace)).toBe(false))
    await vi.waitFor(() => expect(refusal()).toBe('storage.damaged'))
    await vi.waitFor(() => expect(existsSync(trace)).toBe(false))
    rmSync(data, { recursive: true })
  })

  it('takes a port that may be undefined', async () => {
    const portOf = (text?: string): number | undefined => (text === undefined ? undefined : Number(text))
    const local: Local = await startLocal({ port: portOf() })
    started.push(local)
    expect(local).not.toHaveProperty('url')
  })

  it('answers any client of the SDK in this process', async () => {
    const local = await start()
    await local.client().send(THINGS)
    const streams = new DynamoDBStreamsClient({ ...local.connection() })
    const { Streams } = await streams.send(new ListStreamsCommand({ TableName: 'things' }))
    expect(Streams).toHaveLength(1)
    expect(await tablesOf(new DynamoDBClient({ ...local.connection() }))).toEqual(['things'])
  })

  it('separates the regions of its clients', async () => {
    const local = await start()
    await local.client().send(THINGS)
    expect(await tablesOf(local.client({ region: 'eu-west-1' }))).toEqual([])
    expect(await tablesOf(local.client({ region: async () => 'us-east-1' }))).toEqual(['things'])
  })

  it('is empty after a reset, also for earlier clients', async () => {
    const local = await start()
    const client = local.client()
    await client.send(THINGS)
    await local.reset()
    expect(await tablesOf(client)).toEqual([])
    await client.send(THINGS)
  })

  it('is empty after a reset when its data is on disk', async () => {
    const data = mkdtempSync(join(tmpdir(), 'isotherm-reset-'))
    const first = await start({ data })
    const client = first.client()
    await client.send(THINGS)
    await client.send(put('1'))
    await first.reset()
    expect(await tablesOf(client)).toEqual([])
    await client.send(THINGS)
    expect((await client.send(get('1'))).Item).toBeUndefined()
    await client.send(put('2'))
    await first.close()
    const again = (await start({ data })).client()
    expect((await again.send(get('1'))).Item).toBeUndefined()
    expect((await again.send(get('2'))).Item).toEqual({ id: { S: '2' } })
    await started.at(-1)?.close()
    rmSync(data, { recursive: true })
  })

  it('rejects snapshots when its data is on disk', async () => {
    const data = mkdtempSync(join(tmpdir(), 'isotherm-snapshot-'))
    const local = await start({ data })
    const other = await start()
    for (const attempt of [() => local.snapshot(), () => local.restore(other.snapshot())]) {
      expect(attempt).toThrow(LocalError)
      expect(attempt).toThrow(`this engine keeps its data in ${data}`)
    }
    await local.close()
    rmSync(data, { recursive: true })
  })

  it('starts within 50 ms, including its first response', async () => {
    const clock = new SystemClock()
    const durations: number[] = []
    for (let attempt = 0; attempt < 5; attempt++) {
      const from = clock.now()
      const local = await start()
      await tablesOf(local.client())
      durations.push(clock.now() - from)
    }
    // The fastest of a few runs, so that other load on the machine does not matter.
    expect(Math.min(...durations)).toBeLessThan(50)
  })

  it('restores a snapshot of 20,000 items in milliseconds', async () => {
    const local = await start({ throttle: false })
    const client = local.client()
    await client.send(THINGS)
    for (let first = 0; first < 20_000; first += 25) {
      const things = Array.from({ length: 25 }, (_, at) => {
        return { PutRequest: { Item: { id: { S: String(first + at) } } } }
      })
      await client.send(new BatchWriteItemCommand({ RequestItems: { things } }))
    }
    const clock = new SystemClock()
    const from = clock.now()
    const snapshot = local.snapshot()
    local.restore(snapshot)
    // A generous limit for a busy machine. Copying the items would take longer.
    expect(clock.now() - from).toBeLessThan(20)
    expect((await client.send(get('19999'))).Item).toEqual({ id: { S: '19999' } })
  })

  it('is independent of others in its process', async () => {
    const locals = await Promise.all(Array.from({ length: 20 }, () => start({ port: 0 })))
    await Promise.all(
      locals.map(async (local, at) => {
        await local.client().send(THINGS)
        await local.client().send(put(String(at)))
      }),
    )
    await locals[3]?.reset()
    for (const [at, local] of locals.entries()) {
      if (at === 3) {
        expect(await tablesOf(local.client())).toEqual([])
        continue
      }
      expect((await local.client().send(get(String(at)))).Item).toEqual({ id: { S: String(at) } })
      expect((await local.client().send(get(String(at + 1)))).Item).toBeUndefined()
    }
  })

  it('ends with the block that declares it', async () => {
    const local = await startLocal({ port: 0 })
    await local[Symbol.asyncDispose]()
    await expect(fetch(local.url)).rejects.toThrow()
  })
})

describe('a start that fails', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'isotherm-failed-start-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const takenPort = async () => (await (await start()).listen({ port: 0 })).port

  it.each(['a port that is taken', 'a foreign host'])('leaves nothing behind for %s', async (why) => {
    const where = why === 'a foreign host' ? { port: 0, host: '192.0.2.1' } : { port: await takenPort() }
    const options = { data: join(folder, 'new', 'data'), trace: join(folder, 'trace.jsonl') }
    await expect(startLocal({ ...options, ...where })).rejects.toThrow(LocalError)
    expect(readdirSync(folder)).toEqual([])
    const local = await start({ ...options, port: 0 })
    await local.client().send(THINGS)
    await local.close()
    expect(readdirSync(folder)).toEqual(['new', 'trace.jsonl'])
  })

  it('leaves nothing behind either when createLocal and listen are called, as the command does', async () => {
    const local = createLocal({ data: join(folder, 'data'), trace: join(folder, 'trace.jsonl') })
    await expect(local.listen({ port: await takenPort() })).rejects.toMatchObject({
      code: 'endpoint.port-taken',
    })
    await local.close()
    expect(readdirSync(folder)).toEqual([])
  })

  it('keeps an empty directory that was there before, and other files in a new one', async () => {
    const port = await takenPort()
    mkdirSync(join(folder, 'empty'))
    await expect(startLocal({ port, data: join(folder, 'empty') })).rejects.toThrow(LocalError)
    expect(readdirSync(join(folder, 'empty'))).toEqual([])
    const local = createLocal({ data: join(folder, 'new') })
    writeFileSync(join(folder, 'new', 'notes.txt'), 'mine')
    await expect(local.listen({ port })).rejects.toThrow(LocalError)
    await local.close()
    expect(readdirSync(join(folder, 'new'))).toEqual(['notes.txt'])
  })

  it('keeps data that was there before', async () => {
    const data = join(folder, 'data')
    const before = await start({ data })
    await before.client().send(THINGS)
    await before.close()
    await expect(startLocal({ port: await takenPort(), data })).rejects.toThrow(LocalError)
    expect(await tablesOf((await start({ data })).client())).toEqual(['things'])
    await started.at(-1)?.close()
  })

  it('keeps data and the trace if requests were made all the same', async () => {
    const [data, trace] = [join(folder, 'data'), join(folder, 'trace.jsonl')]
    const local = createLocal({ data, trace })
    await expect(local.listen({ port: await takenPort() })).rejects.toThrow(LocalError)
    await local.client().send(THINGS)
    await local.close()
    expect(readFileSync(trace, 'utf8')).toContain('CreateTable')
    expect(await tablesOf((await start({ data })).client())).toEqual(['things'])
    await started.at(-1)?.close()
  })

  it.each([
    ['exists already', 'trace.exists', 'trace.jsonl'],
    ['cannot be made', 'trace.write', join('missing', 'trace.jsonl')],
  ])('leaves no new directory when its trace %s', async (_, code, name) => {
    writeFileSync(join(folder, 'trace.jsonl'), 'mine')
    const options = { data: join(folder, 'data'), trace: join(folder, name) }
    expect(() => createLocal(options)).toThrow(expect.objectContaining({ code }))
    expect(existsSync(options.data)).toBe(false)
    expect(readFileSync(join(folder, 'trace.jsonl'), 'utf8')).toBe('mine')
    await (await start({ data: options.data })).close()
  })
})

describe('an engine that was closed', () => {
  const closed = { code: 'local.closed', message: 'The engine is closed; make a new one.' }

  it('refuses to be used', async () => {
    const local = await startLocal()
    const snapshot = local.snapshot()
    await local.close()
    await expect(local.listen({ port: 0 })).rejects.toMatchObject(closed)
    await expect(local.reset()).rejects.toMatchObject(closed)
    const uses: readonly (() => unknown)[] = [
      () => local.client(),
      () => local.connection(),
      () => local.tables(),
      () => local.partitions('things'),
      () =>
        local.heat(
          { region: 'us-east-1', table: 'things', index: undefined },
          { from: 0, to: 1, columns: 1 },
        ),
      () => local.snapshot(),
      () => local.restore(snapshot),
    ]
    for (const use of uses) expect(use).toThrow(expect.objectContaining(closed))
  })

  it('still has its time and its statistics, and can be closed again', async () => {
    const local = await startLocal()
    await tablesOf(local.client())
    await local.close()
    await local.close()
    expect(local.statistics().requests).toBe(1)
    expect(local.now()).toBeGreaterThan(0)
  })

  it('opens no port that was asked for just before', async () => {
    const local = await startLocal()
    const listening = local.listen({ port: 0 })
    await Promise.all([expect(listening).rejects.toMatchObject(closed), local.close()])
  })
})
