import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyPage, putAll, type RotatingLog, rotatingLog } from '../../../test/rotating-log.js'
import type { Rotation } from './rotation.js'

let log: RotatingLog
let reader: Rotation
beforeEach(async () => {
  log = await rotatingLog()
  reader = log.writer({ cacheTtl: 0 })
})
afterEach(() => log.close())

const times = [9, 10, 11].flatMap((month) =>
  [1, 15, 28].map((day) => new Date(Date.UTC(2026, month - 1, day)).toISOString()),
)
const queries = () => log.requests.filter((request) => request.startsWith('Query log_2'))

const forged = (content: readonly unknown[]) => Buffer.from(JSON.stringify(content)).toString('base64url')
const atPeriod = (from: string) => forged([1, ['S', '/a'], true, Date.parse(from), null])
const behind = (file: string, at = '') =>
  forged([1, ['S', '/a'], true, Date.parse('2026-09-01'), { file: ['S', file], at: ['S', at] }])

describe('a query of all dates', () => {
  const ever = { key: '/a', from: new Date(-8.64e15), to: new Date(8.64e15), limit: 2 }

  it.each(['seconds', 'milliseconds'] as const)('has what has its time in %s', async (time) => {
    const [writer, unit] = [log.writer({ time }), time === 'seconds' ? 1_000 : 1]
    for (const at of times) await writer.put({ file: '/a', at: Date.parse(at) / unit })
    expect((await everyPage(writer, ever)).flat()).toHaveLength(times.length)
  })

  it('has what has its time as a text', async () => {
    await putAll(reader, times)
    expect((await everyPage(reader, ever)).flat()).toEqual(times)
    expect((await everyPage(reader, { ...ever, forward: false })).flat()).toEqual([...times].reverse())
  })

  it('has what has its time in an id that ends before them', async () => {
    const first = (milliseconds: number) => {
      if (milliseconds < 0 || milliseconds >= 2 ** 48) throw new RangeError('no ULID has this time')
      return milliseconds.toString(36).padStart(10, '0')
    }
    const toMilliseconds = (id: string | number) => Number.parseInt(String(id), 36)
    const writer = log.writer({ time: { type: 'S', toMilliseconds, first } })
    const ids = times.map((at) => first(Date.parse(at)))
    await putAll(writer, ids)
    expect((await everyPage(writer, ever)).flat()).toEqual(ids)
  })

  it('has the last second of the year 9999', async () => {
    log.setTime('9999-12-30T12:00:00Z')
    const last = ['9999-12-30T23:59:59.000Z', '9999-12-30T23:59:59.999Z', '9999-12-31T23:59:59.999Z']
    await putAll(reader, last)
    expect((await everyPage(reader, ever)).flat()).toEqual(last)
  })
})

describe('a query of a range', () => {
  beforeEach(() => putAll(reader, times))

  it('asks the tables that cover it, and no others', async () => {
    log.requests.length = 0
    const query = { key: '/a', from: '2026-10-02', to: '2026-10-20' }
    expect(await everyPage(reader, query)).toEqual([['2026-10-15T00:00:00.000Z']])
    expect(queries()).toEqual(['Query log_2026-10'])
    log.requests.length = 0
    expect((await everyPage(reader, { ...query, to: '2026-11-01' })).flat()).toHaveLength(2)
    expect(queries()).toEqual(['Query log_2026-10'])
    log.requests.length = 0
    expect(await everyPage(reader, { key: '/a', from: '2020-01-01', to: '2026-08-01' })).toEqual([[]])
    expect(queries()).toEqual([])
  })

  it.each([1, 2, 3, 4, 9, 100])('pages across tables by %i, in both directions', async (limit) => {
    for (const forward of [true, false]) {
      const query = { key: '/a', from: '2026-01-01', to: '2027-01-01', limit, forward }
      const pages = await everyPage(reader, query)
      expect(pages.flat()).toEqual(forward ? times : [...times].reverse())
      expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(limit)
      expect(pages.length).toBeLessThanOrEqual(Math.ceil(times.length / limit) + 1)
    }
  })

  it('has an item at its beginning, and none at its end', async () => {
    const query = { key: '/a', from: '2026-09-15T00:00:00.000Z', to: '2026-11-15T00:00:00.000Z' }
    expect((await everyPage(reader, query)).flat()).toEqual(times.slice(1, 7))
    const later = { ...query, from: Date.parse(query.from) + 1, to: new Date(Date.parse(query.to) + 1) }
    expect((await everyPage(reader, later)).flat()).toEqual(times.slice(2, 8))
  })

  it('leaves out what a filter does not let through', async () => {
    for (const at of [times[1], times[4], times[7]])
      await reader.put({ file: '/a', at: at ?? '', status: 500 })
    const filter = { expression: '#s = :error', names: { '#s': 'status' }, values: { ':error': 500 } }
    const query = { key: '/a', from: '2026-01-01', to: '2027-01-01', filter, limit: 2 }
    expect((await everyPage(reader, query)).flat()).toEqual([times[1], times[4], times[7]])
  })

  it('sees at once what another process writes to a new table, when it is consistent', async () => {
    const slow = log.writer({ cacheTtl: '10m' })
    const query = { key: '/a', from: '2026-01-01', to: '2027-01-01' }
    await everyPage(slow, query)
    await putAll(log.writer(), ['2026-12-01T00:00:00Z'])
    expect((await everyPage(slow, { ...query, consistent: true })).flat()).toHaveLength(10)
  })

  it('continues with a cursor when its range has grown meanwhile', async () => {
    const query = { key: '/a', from: '2026-09-01', to: '2026-10-16', limit: 2 }
    const { cursor = '' } = await reader.query(query)
    const longer = { ...query, to: '2027-01-01', limit: 100, cursor }
    expect((await reader.query(longer)).items.map(({ at }) => at)).toEqual(times.slice(2))
  })

  it('refuses a cursor of another one', async () => {
    const query = { key: '/a', from: '2026-01-01', to: '2027-01-01', limit: 2 }
    const { cursor = '' } = await reader.query(query)
    const others = [
      { ...query, key: '/b', cursor },
      { ...query, forward: false, cursor },
      { ...query, cursor: 'x' },
      { ...query, cursor: 7 as never },
      { ...query, cursor: 7n as never },
      // The cursor is of September.
      { ...query, from: '2026-09-15T00:00:01Z', cursor },
      { ...query, from: '2026-10-01', cursor },
      { ...query, to: '2026-09-14', cursor },
      { ...query, to: '2026-09-01', cursor },
      { ...query, from: '2026-10-01', cursor: atPeriod('2026-09-01') },
      { ...query, cursor: atPeriod('2026-09-02') },
      { ...query, cursor: behind('/b', times[1]) },
      { ...query, cursor: behind('/a', '2025-09-15T00:00:00.000Z') },
    ]
    for (const other of others)
      await expect(reader.query(other)).rejects.toMatchObject({ code: 'rotation.cursor' })
  })
})
