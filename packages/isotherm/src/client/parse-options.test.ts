import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parseDuration } from '../options/duration.js'
import { doubling, proportional } from '../scaling/policy.js'
import { raiseReadCapacity } from '../scaling/raise-read-capacity.js'
import { raiseWriteCapacity } from '../scaling/raise-write-capacity.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'
import { EVERYTHING } from './everything.js'
import type { IsothermOptions } from './options.js'
import { parseOptions } from './parse-options.js'

const table = (more: object = {}): IsothermOptions => ({
  tables: { log: { partitionKey: 'pk', suffix: 'random', shards: fixedShards(2), ...more } },
})

/** The names of all options, as the error about an unknown one lists them. */
function known(options: IsothermOptions): readonly string[] {
  try {
    parseOptions(options, EVERYTHING)
  } catch (error) {
    return (error as { details: { known: readonly string[] } }).details.known
  }
  throw new Error('No option is unknown.')
}

class TablesOfClass {
  get log() {
    return table().tables.log
  }
}

describe('the options', () => {
  it('are returned with all defaults', () => {
    expect(parseOptions(table(), EVERYTHING).tables[0]).toMatchObject({
      name: 'log',
      sortKey: undefined,
      delimiter: '_',
      shardMap: 'log_shard_map',
      cacheMilliseconds: 30_000,
      maxAttempts: 8,
    })
  })

  it('may be undefined, which is the same as missing', () => {
    const parsed = (options: object) =>
      inspect(parseOptions(options as IsothermOptions, EVERYTHING), { depth: 9 })
    const missing = parsed(table())
    const { log } = table().tables
    const names = known(table({ none: 1 })).filter((name) => !(name in (log ?? {})))
    for (const name of names) expect(parsed(table({ [name]: undefined })), name).toBe(missing)
    const ofAll = known({ ...table(), none: 1 } as IsothermOptions).filter((name) => name !== 'tables')
    for (const name of ofAll) expect(parsed({ ...table(), [name]: undefined }), name).toBe(missing)
  })

  it.each([
    ['options.shards', { ...table(), shards: 3 }],
    ['options.tables.log.sufix', table({ sufix: 'random' })],
  ])('reject the unknown option %s and name it', (option, options) => {
    expect(() => parseOptions(options as IsothermOptions, EVERYTHING)).toThrow(
      expect.objectContaining({ code: 'options.unknown', details: expect.objectContaining({ option }) }),
    )
  })

  it.each([
    ['a suffix of another kind', { suffix: 'calculated' }],
    ['a plain number of shards', { shards: 3 }],
    ['a delimiter with a digit', { delimiter: '_1_' }],
    ['an empty delimiter', { delimiter: '' }],
    ['an empty partition key', { partitionKey: '' }],
    ['the partition key as the sort key', { partitionKey: 'pk', sortKey: 'pk' }],
    ['a time to live in words', { cacheTtl: 'a while' }],
    ['no attempts', { maxAttempts: 0 }],
    ['capacity as a number', { capacity: 100 }],
    ['capacity as a list of numbers', { capacity: [100, 200] }],
    [
      'two raises of the write capacity',
      { capacity: [raiseWriteCapacity({ maxWriteUnits: 10 }), raiseWriteCapacity({ maxWriteUnits: 20 })] },
    ],
  ])('reject %s', (_what, more) => {
    expect(() => parseOptions(table(more), EVERYTHING)).toThrow(
      expect.objectContaining({ code: 'options.invalid' }),
    )
  })

  it.each(['last_updated', 'last_write', 'last_busy', 'heat_reports', 'table_name', 'made'])(
    'reject the partition key %s, which the shard map uses itself',
    (partitionKey) => {
      const option = 'options.tables.log.partitionKey'
      expect(() => parseOptions(table({ partitionKey, shards: dynamicShards() }), EVERYTHING)).toThrow(
        expect.objectContaining({ details: expect.objectContaining({ option }) }),
      )
      expect(() => parseOptions(table({ partitionKey }), EVERYTHING)).not.toThrow()
    },
  )

  it.each(['cacheTtl', 'lateRequests'])('reject no time at all as the %s of dynamic shards', (name) => {
    const option = `options.tables.log.${name}`
    const withNone = (shards: object) => () => parseOptions(table({ [name]: '0s', ...shards }), EVERYTHING)
    expect(withNone({ shards: dynamicShards() })).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ option }) }),
    )
    expect(withNone({})).not.toThrow()
  })

  it.each([
    ['no shards', () => fixedShards(0)],
    ['a part of a shard', () => fixedShards(1.5)],
    ['more shards than a key may have', () => fixedShards(1_001)],
    ['more shards at first than at most', () => dynamicShards({ initial: 5, max: 4 })],
    ['a jitter that ends before it begins', () => dynamicShards({ jitter: ['2s', '1s'] })],
    ['a target above all that there is', () => proportional({ targetUtilization: 1.1 })],
    ['a policy that is not called', () => dynamicShards({ policy: doubling as never })],
    ['a shard count that is no number', () => fixedShards(Number.NaN)],
    ['a Map of options', () => dynamicShards(new Map([['max', 5]]) as never)],
    ['a shard map that is the table itself', () => parseOptions(table({ shardMap: 'log' }), EVERYTHING)],
    [
      'a shard map that is the table itself, in an object',
      () => parseOptions(table({ shardMap: { table: 'log' } }), EVERYTHING),
    ],
    ['a raise that does not raise', () => raiseWriteCapacity({ maxWriteUnits: 10, factor: 1 })],
    ['a raise without a bound', () => raiseReadCapacity({ maxReadUnits: Number.POSITIVE_INFINITY })],
  ])('reject %s', (_what, make) => {
    expect(make).toThrow(expect.objectContaining({ code: 'options.invalid' }))
  })

  it.each([
    ['the ARN of a table', { 'arn:aws:dynamodb:eu-west-1:123456789012:table/log': table().tables.log }],
    ['a Map', new Map(Object.entries(table().tables))],
    ['getters of a class', new TablesOfClass()],
    ['inherited members', Object.create(table().tables)],
  ])('reject %s in the place of names of tables', (_what, tables) => {
    expect(() => parseOptions({ tables } as never, EVERYTHING)).toThrow(
      expect.objectContaining({
        code: 'options.invalid',
        details: expect.objectContaining({ option: 'options.tables' }),
      }),
    )
  })

  it('say what is wrong with a policy that is not called, and with a number that is none', () => {
    expect(() => dynamicShards({ policy: doubling as never })).toThrow(
      'dynamicShards.policy is a function; it must be called, as in { policy: doubling() }.',
    )
    expect(() => fixedShards(Number.NaN)).toThrow('fixedShards(count) is NaN; it must be a whole number')
  })

  it('check the shard count from a function when it returns', () => {
    let count = 4
    const shards = fixedShards(() => count)
    expect(shards.count()).toBe(4)
    count = 0
    expect(() => shards.count()).toThrow(/fixedShards\(count\) is 0/)
  })
})

describe('a duration', () => {
  it.each([
    ['500ms', 500],
    ['60s', 60_000],
    ['1.5s', 1_500],
    ['5m', 300_000],
    ['1h', 3_600_000],
    [250, 250],
  ])('of %s is %d milliseconds', (value, milliseconds) => {
    expect(parseDuration('cooldown', value)).toBe(milliseconds)
  })

  it.each(['', '60', 's', '1 s', '-1s', -1, Number.NaN, Number.POSITIVE_INFINITY, null, undefined])(
    'cannot be %s',
    (value) => {
      expect(() => parseDuration('cooldown', value)).toThrow(/^cooldown is .*must be a duration/)
    },
  )
})
