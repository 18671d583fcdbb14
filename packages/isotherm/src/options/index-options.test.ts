import { describe, expect, it } from 'vitest'
import type { IsothermOptions } from './options.js'
import { parseOptions } from './parse-options.js'
import { dynamicShards, fixedShards } from './shards.js'

const parsed = (more: object) => {
  const log = { partitionKey: 'pk', suffix: 'random', shards: fixedShards(2), ...more }
  return parseOptions({ tables: { log } } as unknown as IsothermOptions).tables[0]
}

describe('the options of an index', () => {
  it('name the attribute that carries the shard, which is hidden like what a move adds', () => {
    const sharded = { partitionKey: 'status', shards: fixedShards(4) }
    const table = parsed({
      indexes: {
        by_status: sharded,
        by_day: { ...sharded, sortKey: 'day', shadowKey: 'status_day' },
        by_both: { ...sharded, shardAttribute: 'status_shard' },
        by_size: { sortKey: 'size' },
      },
    })
    expect([...(table?.indexes.values() ?? [])]).toMatchObject([
      { kind: 'sharded', name: 'by_status', shard: { in: 'shadow-key', attribute: 'isotherm_by_status' } },
      { kind: 'sharded', sortKey: 'day', shard: { in: 'shadow-key', attribute: 'status_day' } },
      { kind: 'sharded', shard: { in: 'attribute', attribute: 'status_shard' } },
      { kind: 'covering', name: 'by_size', sortKey: 'size' },
    ])
    expect(table?.hiddenAttributes).toEqual([
      'isotherm_moving',
      'isotherm_moved',
      'isotherm_by_status',
      'status_day',
      'status_shard',
    ])
  })

  it.each([
    ['dynamic shards', { indexes: { i: { partitionKey: 's', shards: dynamicShards() } } }],
    ['no shards', { indexes: { i: { partitionKey: 's' } } }],
    ['no key', { indexes: { i: { shards: fixedShards(2) } } }],
    ['no sort key', { indexes: { i: {} } }],
    [
      'both ways to carry the shard',
      { indexes: { i: { partitionKey: 's', shards: fixedShards(2), shadowKey: 'a', shardAttribute: 'b' } } },
    ],
    ['replicas that are no list', { readReplicas: 'copy' }],
    ['a replica without a name', { readReplicas: [''] }],
    ['a replica that is in indexes', { readReplicas: ['i'], indexes: { i: { sortKey: 'x' } } }],
  ])('are refused with %s', (_what, more) => {
    expect(() => parsed(more)).toThrow(expect.objectContaining({ code: 'options.invalid' }))
  })

  it('are refused with a member that is not known', () => {
    const index = { partitionKey: 's', shards: fixedShards(2), shard: 'x' }
    expect(() => parsed({ indexes: { i: index } })).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ option: 'options.tables.log.indexes.i.shard' }),
      }),
    )
  })
})
