import { gunzipSync, gzipSync } from 'node:zlib'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  all,
  everyPage,
  memoryStore,
  putAll,
  type RotatingLog,
  rotatingLog,
} from '../../../test/rotating-log.js'

let log: RotatingLog
let store: ReturnType<typeof memoryStore>
beforeEach(async () => {
  log = await rotatingLog()
  store = memoryStore()
})
afterEach(() => log.close())

const OCTOBER = '2026-10-15'
const times = Array.from({ length: 20 }, (_, hour) => `2026-10-10T${String(hour).padStart(2, '0')}:00:00Z`)
const odd = {
  file: '/b',
  at: '2026-10-11T00:00:00Z',
  set: new Set(['b', 'a']),
  bytes: new Uint8Array([0, 255]),
  many: new Set([new Uint8Array([1])]),
  map: { list: [1, null, true, 'x', 12_345_678_901_234_567_890n] },
}

async function filled() {
  const writer = log.writer()
  await putAll(writer, [...times, '2026-11-20T12:00:00Z'])
  await writer.put(odd)
  return writer
}

describe('an archive', () => {
  it('has every item as a line of DynamoDB JSON, and gives them back', async () => {
    const writer = await filled()
    const reports: unknown[] = []
    const onProgress = (report: unknown) => reports.push(report)
    expect(await writer.archive(OCTOBER, { store, onProgress })).toEqual({ items: 21 })
    expect(reports).toEqual([
      { step: 'scan', parts: 1, items: 21 },
      { step: 'verify', parts: 1, items: 21 },
    ])
    expect([...store.objects.keys()]).toEqual([
      expect.stringMatching(/^log\/2026-10\/part-00001-[0-9a-f]{12}\.jsonl\.gz$/),
    ])
    const [part] = store.objects.values()
    const lines = gunzipSync(part ?? new Uint8Array())
      .toString()
      .trim()
      .split('\n')
    expect(lines).toContain(JSON.stringify({ Item: { file: { S: '/a' }, at: { S: times[0] } } }))
    const items = await all(writer.readArchive(OCTOBER, { store }))
    expect(items).toHaveLength(21)
    expect(items).toContainEqual(odd)
    // The table can be read until it is dropped.
    expect(
      (await everyPage(writer, { key: '/a', from: '2026-10-01', to: '2026-12-01' })).flat(),
    ).toHaveLength(21)
  })

  it('takes several objects where there is much, and is continued where it ended', async () => {
    const writer = log.writer()
    const text = 'x'.repeat(380_000)
    for (const at of times) await writer.put({ file: '/a', at, text })
    for (const at of times) await writer.put({ file: '/b', at, text })
    let puts = 0
    const failing = {
      ...store,
      put: async (name: string, bytes: Uint8Array) => {
        puts += 1
        if (puts === 2) throw new Error('the process has ended')
        await store.put(name, bytes)
      },
    }
    await expect(writer.archive(OCTOBER, { store: failing })).rejects.toThrow('the process has ended')
    const names: string[] = []
    const counted = {
      ...store,
      put: async (name: string, bytes: Uint8Array) => {
        names.push(name)
        await store.put(name, bytes)
      },
    }
    expect(await log.writer().archive(OCTOBER, { store: counted })).toEqual({ items: 40 })
    expect(names).toEqual([expect.stringMatching(/^log\/2026-10\/part-00002-[0-9a-f]{12}\.jsonl\.gz$/)])
    expect(await all(writer.readArchive(OCTOBER, { store }))).toHaveLength(40)
  })

  it('of a period that is not over, or has no table, is refused', async () => {
    const writer = await filled()
    for (const period of ['2026-11-20', '2026-08-01']) {
      await expect(writer.archive(period, { store })).rejects.toMatchObject({ code: 'rotation.not-ready' })
    }
    expect(store.objects.size).toBe(0)
    await putAll(writer, ['2026-11-20T12:00:01Z'])
  })

  it('whose object is not what was written is no archive, and is made again', async () => {
    const writer = await filled()
    const losing = { ...store, put: async (name: string) => store.put(name, new Uint8Array([1, 2, 3])) }
    await expect(writer.archive(OCTOBER, { store: losing })).rejects.toMatchObject({
      code: 'rotation.archive-differs',
    })
    await expect(writer.drop(OCTOBER, { store })).rejects.toMatchObject({ code: 'rotation.not-ready' })
    expect(store.objects.size).toBe(0)
    expect(await writer.archive(OCTOBER, { store })).toEqual({ items: 21 })
  })

  it('is not replaced by what a process writes late that has stopped archiving', async () => {
    const [slow, quick] = [await filled(), log.writer()]
    let isLate = (): void => {}
    const late = new Promise<void>((resolve) => {
      isLate = resolve
    })
    let arrives = (): void => {}
    const held = new Promise<void>((resolve) => {
      arrives = resolve
    })
    const slowStore = {
      ...store,
      put: async (name: string) => {
        isLate()
        await held
        // What it has scanned is out of date.
        await store.put(name, gzipSync(''))
      },
    }
    const stopped = slow.archive(OCTOBER, { store: slowStore })
    await late
    expect(await quick.archive(OCTOBER, { store })).toEqual({ items: 21 })
    arrives()
    await expect(stopped).rejects.toMatchObject({ code: 'rotation.contended' })
    expect(await quick.verify(OCTOBER, { store })).toEqual({ items: 21 })
    expect(await all(quick.readArchive(OCTOBER, { store }))).toHaveLength(21)
  })

  it('is continued when the answer to its own record was lost', async () => {
    const writer = await filled()
    const lost: string[] = []
    log.client.middlewareStack.add(
      (next) => async (args) => {
        const { UpdateExpression = '' } = args.input as { readonly UpdateExpression?: string }
        if (!UpdateExpression.startsWith('SET #archive')) return next(args)
        lost.push(UpdateExpression)
        // The SDK sends it again.
        await next(args)
        return next(args)
      },
      { step: 'initialize', name: 'lost answer' },
    )
    expect(await writer.archive(OCTOBER, { store })).toEqual({ items: 21 })
    expect(lost).toHaveLength(1)
    expect(store.objects.size).toBe(1)
    expect(await writer.verify(OCTOBER, { store })).toEqual({ items: 21 })
  })

  it('is not reported when another process has begun it again before it was recorded', async () => {
    const writer = await filled()
    let isFirst = true
    const watched = {
      ...store,
      get: async (name: string) => {
        const bytes = await store.get(name)
        if (isFirst) {
          isFirst = false
          // With the store of something else, which has no such object.
          const other = writer.archive(OCTOBER, { store: memoryStore() })
          await expect(other).rejects.toMatchObject({ code: 'rotation.archive-differs' })
        }
        return bytes
      },
    }
    await expect(writer.archive(OCTOBER, { store: watched })).rejects.toMatchObject({
      code: 'rotation.contended',
    })
    expect(await writer.archive(OCTOBER, { store })).toEqual({ items: 21 })
    expect((await writer.periods())[0]).toMatchObject({ label: '2026-10', state: 'archived' })
  })

  it('waits until every writer knows that the period is closed', async () => {
    const writer = await filled()
    const late = log.writer({ cacheTtl: '10m', lateRequests: '1m' })
    await putAll(late, ['2026-10-10T00:30:00Z'])
    await log.writer({ cacheTtl: '10m', lateRequests: '1m' }).archive(OCTOBER, { store })
    await expect(late.put({ file: '/a', at: '2026-10-10T00:31:00Z' })).rejects.toMatchObject({
      code: 'rotation.closed',
      details: { table: 'log', period: '2026-10', state: 'archived' },
    })
    expect(await all(writer.readArchive(OCTOBER, { store }))).toHaveLength(22)
  })
})

describe('a period', () => {
  it('is dropped when its archive has all that its table has; then late items and queries fail', async () => {
    const writer = await filled()
    await expect(writer.verify(OCTOBER, { store })).rejects.toMatchObject({ code: 'rotation.not-ready' })
    await writer.archive(OCTOBER, { store })
    expect(await writer.verify(OCTOBER, { store })).toEqual({ items: 21 })
    await writer.drop(OCTOBER, { store })
    expect(await log.tables()).toEqual(['log_2026-11'])
    await writer.drop(OCTOBER, { store })
    const closed = { code: 'rotation.closed', details: { table: 'log', period: '2026-10', state: 'dropped' } }
    await expect(writer.put({ file: '/a', at: '2026-10-12T00:00:00Z' })).rejects.toMatchObject(closed)
    await expect(writer.get({ file: '/a', at: times[0] ?? '' })).rejects.toMatchObject(closed)
    const query = { key: '/a', from: '2026-10-01', to: '2026-12-01' }
    await expect(writer.query(query)).rejects.toMatchObject(closed)
    expect((await everyPage(writer, { ...query, skipDropped: true })).flat()).toEqual([
      '2026-11-20T12:00:00Z',
    ])
    expect(await log.tables()).toEqual(['log_2026-11'])
    expect(await writer.periods()).toEqual([
      expect.objectContaining({ label: '2026-10', state: 'dropped', archivedItems: 21 }),
      expect.objectContaining({ label: '2026-11', state: 'active', archivedItems: undefined }),
    ])
  })

  it('is not dropped before it is archived', async () => {
    const writer = await filled()
    for (const period of [OCTOBER, '2026-11-20', '2026-08-01']) {
      await expect(writer.drop(period, { store })).rejects.toMatchObject({ code: 'rotation.not-ready' })
    }
    expect(await log.tables()).toEqual(['log_2026-10', 'log_2026-11'])
  })

  it('is not dropped when its archive has lost something', async () => {
    const writer = await filled()
    await writer.archive(OCTOBER, { store })
    store.objects.clear()
    await expect(writer.drop(OCTOBER, { store })).rejects.toMatchObject({ code: 'rotation.archive-differs' })
    expect(await log.tables()).toContain('log_2026-10')
    expect(await writer.archive(OCTOBER, { store })).toEqual({ items: 21 })
    await writer.drop(OCTOBER, { store })
    expect(await log.tables()).toEqual(['log_2026-11'])
  })

  it('is not dropped when another process has begun its archive again meanwhile', async () => {
    const [dropping, other] = [await filled(), log.writer()]
    await dropping.archive(OCTOBER, { store })
    const Item = { file: { S: '/a' }, at: { S: '2026-10-31T00:00:00Z' } }
    let isFirst = true
    log.client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const answer = await next(args)
          if (commandName !== 'ScanCommand' || !isFirst) return answer
          // Right behind the scan of the comparison, which finds nothing wrong.
          isFirst = false
          await log.client.send(new PutItemCommand({ TableName: 'log_2026-10', Item }))
          await expect(other.verify(OCTOBER, { store })).rejects.toMatchObject({
            code: 'rotation.archive-differs',
          })
          return answer
        },
      { step: 'initialize', name: 'other process' },
    )
    await expect(dropping.drop(OCTOBER, { store })).rejects.toMatchObject({ code: 'rotation.contended' })
    expect(await log.tables()).toContain('log_2026-10')
    expect(await other.archive(OCTOBER, { store })).toEqual({ items: 22 })
    await other.drop(OCTOBER, { store })
  })

  it('is not dropped when something has written to its table past the rotation; it can be archived again', async () => {
    const writer = await filled()
    await writer.archive(OCTOBER, { store })
    const Item = { file: { S: '/a' }, at: { S: '2026-10-31T00:00:00Z' } }
    await log.client.send(new PutItemCommand({ TableName: 'log_2026-10', Item }))
    await expect(writer.drop(OCTOBER, { store })).rejects.toMatchObject({ code: 'rotation.archive-differs' })
    expect(await writer.archive(OCTOBER, { store })).toEqual({ items: 22 })
    await writer.drop(OCTOBER, { store })
    expect(await all(writer.readArchive(OCTOBER, { store }))).toHaveLength(22)
  })

  it('of which another process knows nothing yet gets no second table after it was dropped', async () => {
    const stale = log.writer({ cacheTtl: '10m' })
    await stale.query({ key: '/a', from: '2026-10-01', to: '2026-12-01' })
    const writer = await filled()
    await writer.archive(OCTOBER, { store })
    await writer.drop(OCTOBER, { store })
    await expect(stale.put({ file: '/a', at: '2026-10-12T00:00:00Z' })).rejects.toMatchObject({
      code: 'rotation.closed',
    })
    expect(await log.tables()).toEqual(['log_2026-11'])
  })
})
