import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { expect, it } from 'vitest'
import { ensureCatalog } from './ensure-catalog.js'
import { rotation } from './rotation.js'
import type { RotationOptions } from './rotation-options.js'

/** A client that nothing may be sent to. */
const silent = {
  config: {},
  middlewareStack: {},
  send: () => {
    throw new Error('something was sent')
  },
}
const options: RotationOptions = { table: 'log', partitionKey: 'file', sortKey: 'at', period: 'month' }
const log = rotation(silent, options)
const store = {} as never
const numeric = rotation(silent, { ...options, time: 'milliseconds' })
const to = { store: { put, get: put, delete: put } }
const range = { key: '/a', from: '2026-01-01', to: '2026-02-01' }

it.each([
  [{ tabel: 'x' }, 'options.unknown', 'rotation.tabel'],
  [{ table: '' }, 'options.invalid', 'rotation.table'],
  [{ sortKey: undefined }, 'options.invalid', 'rotation.sortKey'],
  [{ period: 'year' }, 'options.invalid', 'rotation.period'],
  [{ time: 'unix' }, 'options.invalid', 'one of iso, seconds, milliseconds'],
  [{ create: 'yes' }, 'options.invalid', 'rotation.create'],
  [{ onTable: true }, 'options.invalid', 'rotation.onTable'],
  [{ definition: 1 }, 'options.invalid', 'rotation.definition'],
  [{ createAhead: 'x' }, 'options.invalid', 'rotation.createAhead'],
  [{ maxPast: -1 }, 'options.invalid', 'rotation.maxPast'],
  [{ oldCapacity: { read: 0, write: 1 } }, 'options.invalid', 'rotation.oldCapacity.read'],
  [{ oldCapacity: { reads: 1 } }, 'options.unknown', 'rotation.oldCapacity.reads'],
])('the option %j is refused with %s', (given, code, message) => {
  expect(() => rotation(silent, { ...options, ...given } as never)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  )
})

it.each([
  ['an item without its partition key', () => log.put({ at: '2026-01-01T00:00:00Z' }), 'key.missing'],
  ['an item without its time', () => log.put({ file: '/a' }), 'key.missing'],
  [
    'an item whose partition key is too long',
    () => log.put({ file: 'x'.repeat(2_049), at: '2026-01-01T00:00:00Z' }),
    'pattern.value',
  ],
  [
    'an item whose partition key is empty',
    () => log.put({ file: '', at: '2026-01-01T00:00:00Z' }),
    'pattern.value',
  ],
  [
    'an item whose partition key is of another type',
    () => log.put({ file: 5, at: '2026-01-01T00:00:00Z' }),
    'pattern.value',
  ],
  ['an item whose time is none', () => log.put({ file: '/a', at: 'soon' }), 'rotation.time'],
  ['an item whose time is of another type', () => log.put({ file: '/a', at: 5 }), 'rotation.time'],
  [
    'a date in a month that is none',
    () => log.put({ file: '/a', at: '2026-13-01T00:00:00Z' }),
    'rotation.time',
  ],
  [
    'a day that its month does not have',
    () => log.put({ file: '/a', at: '2026-02-30T10:00:00Z' }),
    'rotation.time',
  ],
  [
    'an hour that its day does not have',
    () => log.put({ file: '/a', at: '2026-02-28T24:00:00Z' }),
    'rotation.time',
  ],
  ['a time in nanoseconds', () => numeric.put({ file: '/a', at: 1764300000000000000n }), 'rotation.time'],
  ['a read of nanoseconds', () => numeric.get({ file: '/a', at: 1764300000000000000n }), 'rotation.time'],
  ['a value that is none', () => log.put({ file: '/a', at: new Date(0) } as never), 'pattern.value'],
  ['an option of a put', () => log.put({ file: '/a', at: 'x' }, { when: 1 } as never), 'options.unknown'],
  [
    'an item of 500 KB',
    () => log.put({ file: '/a', at: '2026-01-01T00:00:00Z', body: 'x'.repeat(500_000) }),
    'pattern.value',
  ],
  ['a key with more than it', () => log.get({ file: '/a', at: 'x', b: 1 }), 'options.unknown'],
  ['a range that ends before it begins', () => log.query({ ...range, to: '2025-01-01' }), 'options.invalid'],
  ['a range without an end', () => log.query({ ...range, to: undefined as never }), 'options.invalid'],
  ['a limit of nothing', () => log.query({ ...range, limit: 0 }), 'options.invalid'],
  ['a key that is none', () => log.query({ ...range, key: undefined as never }), 'pattern.value'],
  ['a key of another type', () => log.query({ ...range, key: true }), 'pattern.value'],
  ['a key of the type of another table', () => log.query({ ...range, key: 5 }), 'pattern.value'],
  ['an empty key', () => log.query({ ...range, key: '' }), 'pattern.value'],
  ['a range after all dates', () => log.query({ ...range, to: Number.MAX_SAFE_INTEGER }), 'options.invalid'],
  [
    'a range before all dates',
    () => log.query({ ...range, from: -Number.MAX_SAFE_INTEGER }),
    'options.invalid',
  ],
  ['a local time', () => log.query({ ...range, from: '2026-01-01 00:00:00' }), 'options.invalid'],
  ['the signal of a query', () => log.query({ ...range, signal: 5 as never }), 'options.invalid'],
  [
    'the signal of a read',
    () => log.get({ file: '/a', at: '2026-01-01T00:00:00Z' }, { signal: {} as never }),
    'options.invalid',
  ],
  [
    'a consistency of a read',
    () => log.get({ file: '/a', at: '2026-01-01T00:00:00Z' }, { consistent: 'yes' as never }),
    'options.invalid',
  ],
  [
    'the signal of a put',
    () => log.put({ file: '/a', at: '2026-01-01T00:00:00Z' }, { signal: {} as never }),
    'options.invalid',
  ],
  [
    'the signal of a delete',
    () => log.delete({ file: '/a', at: '2026-01-01T00:00:00Z' }, { signal: {} as never }),
    'options.invalid',
  ],
  [
    'the signal of an archive',
    () => log.archive('2026-01-01', { ...to, signal: 5 as never }),
    'options.invalid',
  ],
  [
    'a progress that is no function',
    () => log.archive('2026-01-01', { ...to, onProgress: 5 as never }),
    'options.invalid',
  ],
  ['an archive of a local date', () => log.archive('2026-10-1', to), 'options.invalid'],
  [
    'an archive of a day that its month does not have',
    () => log.archive('2026-02-30', to),
    'options.invalid',
  ],
  ['an archive of a year', () => log.archive('2026', to), 'options.invalid'],
  ['a period beyond all dates', () => log.verify(1e18, to), 'options.invalid'],
  ['a store that is none', () => log.archive('2026-01-01', { store }), 'options.invalid'],
  ['a drop without a store', () => log.drop('2026-01-01', {} as never), 'options.invalid'],
  ['a period that is none', () => log.drop('soon', to), 'options.invalid'],
])('%s is refused, and nothing is sent', async (_name, act, code) => {
  await expect(act()).rejects.toMatchObject({ code })
})

it.each([
  { expression: 'attribute_not_exists(' },
  { expression: 'size = ' },
  { expression: '#a = :a', values: { ':a': 1 } },
  { expression: '#a = :a', names: { '#a': 'a' } },
  { expression: 'a = :a', values: { ':a': 1, ':b': 2 } },
  { expression: 'a = :a', names: { '#b': 'b' }, values: { ':a': 1 } },
  { expression: 'begins_with(a, :a)', values: { ':a': 1 } },
  { expression: 'a = :a', names: { '#a': '' }, values: { ':a': 1 } },
  { expression: 'a = a' },
  { expression: 'x'.repeat(4_097) },
])('a write with the condition %j is refused, and nothing is sent', async (condition) => {
  const key = { file: '/a', at: '2026-01-01T00:00:00Z' }
  const error = { code: 'options.invalid', message: expect.stringContaining('that DynamoDB accepts: ') }
  await expect(log.put(key, { condition })).rejects.toMatchObject(error)
  await expect(log.delete(key, { condition })).rejects.toMatchObject(error)
})

async function put(): Promise<undefined> {
  return undefined
}

it('a table that is no catalog is not used for one', async () => {
  const local = createLocal({ throttle: false })
  const client = local.client()
  await client.send(createTable('log_periods', ['id']))
  await expect(ensureCatalog(client, { table: 'log' })).rejects.toMatchObject({ code: 'rotation.catalog' })
  await local.close()
})
