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

  it('refuses a cursor of another one', async () => {
    const query = { key: '/a', from: '2026-01-01', to: '2027-01-01', limit: 2 }
    const { cursor = '' } = await reader.query(query)
    const others = [
      { ...query, key: '/b', cursor },
      { ...query, forward: false, cursor },
      { ...query, cursor: 'x' },
      { ...query, cursor: 7 as never },
    ]
    for (const other of others)
      await expect(reader.query(other)).rejects.toMatchObject({ code: 'rotation.cursor' })
  })
})
