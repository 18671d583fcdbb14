import { describe, expect, it } from 'vitest'
import { EVERYTHING } from '../client/everything.js'
import type { IsothermOptions } from '../client/options.js'
import { parseOptions } from '../client/parse-options.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'

const by_status = { partitionKey: 'status', sortKey: 'at', shards: fixedShards(10) }

function files(indexes: object, more: object = {}): IsothermOptions {
  return {
    tables: { files: { partitionKey: 'folder', sortKey: 'file', indexes, ...more } },
  } as IsothermOptions
}

const sharded = (indexes: object) => files(indexes, { suffix: 'random', shards: fixedShards(2) })

describe('the options of indexes', () => {
  it('are returned with all defaults, for a table that is not sharded itself', () => {
    const [table] = parseOptions(files({ by_status }), EVERYTHING).tables
    expect(table).toMatchObject({ suffix: 'none', hiddenAttributes: ['isotherm_by_status'] })
    expect(table?.indexes.get('by_status')).toMatchObject({
      kind: 'sharded',
      shard: { in: 'shadow-key', attribute: 'isotherm_by_status' },
    })
  })

  it('allow two indexes to share an added attribute that is the same for both', () => {
    const shared = { ...by_status, shadowKey: 'status_key' }
    const dynamic = { ...shared, shards: dynamicShards() }
    for (const each of [shared, dynamic]) {
      const options = files({ a: each, b: { ...each, sortKey: 'size' } })
      expect(() => parseOptions(options, EVERYTHING)).not.toThrow()
    }
  })

  it.each([
    ['an unknown option', files({ by_status: { ...by_status, shard: 3 } }), 'options.unknown'],
    [
      'another option of a table that is not sharded',
      files({ by_status }, { lateRequests: '1s' }),
      'options.unknown',
    ],
    ['no index at all', files({}), 'options.invalid'],
    ['a number of shards', files({ by_status: { ...by_status, shards: 10 } }), 'options.invalid'],
    [
      'both ways to keep the shard',
      files({ i: { ...by_status, shadowKey: 'a', shardAttribute: 'b' } }),
      'options.invalid',
    ],
    [
      'a covering index of a table that is not sharded',
      files({ by_at: { sortKey: 'at' } }),
      'options.invalid',
    ],
    ["the table's sharded key", sharded({ i: { ...by_status, partitionKey: 'folder' } }), 'options.invalid'],
    ['a shadow key that is a key', files({ i: { ...by_status, shadowKey: 'file' } }), 'options.invalid'],
    ['a shadow key that is the sort key', files({ i: { ...by_status, shadowKey: 'at' } }), 'options.invalid'],
    [
      'one shadow key for two attributes',
      files({
        a: { ...by_status, shadowKey: 'k' },
        b: { ...by_status, partitionKey: 'owner', shadowKey: 'k' },
      }),
      'options.invalid',
    ],
    [
      'one shadow key for two counts',
      files({
        a: { ...by_status, shadowKey: 'k' },
        b: { ...by_status, shards: fixedShards(3), shadowKey: 'k' },
      }),
      'options.invalid',
    ],
    [
      'two dynamic counts for one shadow key',
      files({
        a: { ...by_status, shards: dynamicShards(), shadowKey: 'k' },
        b: { ...by_status, shards: dynamicShards(), shadowKey: 'k' },
      }),
      'options.invalid',
    ],
    [
      'a dynamic count beside a partition key with a name of the shard map',
      files({ by_status: { ...by_status, shards: dynamicShards() } }, { partitionKey: 'last_updated' }),
      'options.invalid',
    ],
    [
      'a dynamic count beside a partition key with a name of the card',
      files({ by_status: { ...by_status, shards: dynamicShards() } }, { partitionKey: 'table_name' }),
      'options.invalid',
    ],
  ])('reject %s', (_what, options, code) => {
    expect(() => parseOptions(options, EVERYTHING)).toThrow(expect.objectContaining({ code }))
  })
})
