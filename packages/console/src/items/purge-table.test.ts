import { table } from '@isotherm/fixtures'
import { VirtualClock } from '@isotherm/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineCall, never } from './engine-call.fixture.js'
import { exportedLines } from './exported-lines.js'
import type { Call, KeyDescription } from './item.js'
import { pageReader } from './item-pages.js'
import { EVERYTHING } from './item-query.js'
import { itemRequest } from './item-request.js'
import { purgeTable } from './purge-table.js'

const ITEMS = 130

const clock = new VirtualClock(Date.UTC(2027, 0, 1))
let engine: Awaited<ReturnType<typeof engineCall>>
let call: Call
beforeAll(async () => {
  engine = await engineCall({ clock })
  call = engine.call
})
afterAll(() => engine.local.close())

/** A table with items. */
async function filled(TableName: string, units: number): Promise<KeyDescription> {
  await call('CreateTable', table(TableName, ['id', 'at'], { units }))
  for (let at = 0; at < ITEMS; at++) {
    // Writing them takes what the table has in a second, and keeps what it has saved up low.
    clock.advance(1_000 / units)
    const Item = { id: { S: `item ${at}` }, at: { S: 'x' }, text: { S: 'y' } }
    await call('PutItem', { TableName, Item })
  }
  return (await call<{ Table: KeyDescription }>('DescribeTable', { TableName })).Table
}

const count = async (TableName: string) =>
  (await call<{ Count: number }>('Scan', { TableName, Select: 'COUNT' })).Count

describe('purging a table', () => {
  it('deletes all items, and waits while it is throttled', async () => {
    const described = await filled('slow', 1)
    const progress: number[] = []
    let slept = 0
    const sleep = async (milliseconds: number) => {
      slept += milliseconds
      clock.advance(milliseconds)
    }
    const work = { sleep, signal: never, onProgress: (items: number) => progress.push(items) }
    expect(await purgeTable(call, described, work)).toBe(ITEMS)
    expect(await count('slow')).toBe(0)
    expect(progress.at(-1)).toBe(ITEMS)
    expect(slept).toBeGreaterThan(1_000)
    expect(progress.length).toBeGreaterThan(ITEMS / 25)
  })

  it('ends when it is cancelled, and says that a table is too busy', async () => {
    const described = await filled('kept', 1)
    const ending = new AbortController()
    const sleep = async () => undefined
    const cancel = () => ending.abort(new Error('cancelled'))
    await expect(
      purgeTable(call, described, { sleep, signal: ending.signal, onProgress: cancel }),
    ).rejects.toThrow('cancelled')
    // No time passes, so no capacity comes back.
    await expect(
      purgeTable(call, described, { sleep, signal: never, onProgress: () => undefined }),
    ).rejects.toThrow(/throttled|throughput/)
    clock.advance(600_000)
    expect(await count('kept')).toBeGreaterThan(0)
  })
})

describe('an export', () => {
  it('has all pages as lines', async () => {
    const described = await filled('wide', 1_000)
    const read = pageReader(call, itemRequest(described, '', EVERYTHING), 50)
    const progress: number[] = []
    const { parts, items, isCut } = await exportedLines(read, {
      signal: never,
      onProgress: (done) => progress.push(done),
    })
    expect({ items, isCut, progress }).toEqual({ items: ITEMS, isCut: false, progress: [50, 100, ITEMS] })
    const lines = parts.join('').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).Item.at)).toEqual(Array(ITEMS).fill({ S: 'x' }))
  })
})
