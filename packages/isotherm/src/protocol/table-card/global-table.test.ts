import type { TableDescription } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import type { ShardedTable } from '../../options/sharded-table.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'
import { requireCountsMayChange, requireSafeRegions } from './global-table.js'

const GLOBAL: TableDescription = { Replicas: [{ RegionName: 'eu-west-1' }, { RegionName: 'us-east-1' }] }

interface Setting {
  readonly suffix?: 'random' | 'none' | 'calculated'
  readonly hasClient?: boolean
  readonly keysOfOneRegion?: boolean
}

const tableOf = ({ suffix = 'random', hasClient = true, keysOfOneRegion = false }: Setting) =>
  ({
    name: 'log',
    suffix: suffix === 'calculated' ? { kind: 'calculated' } : suffix,
    shardMapHasClient: hasClient,
    keysOfOneRegion,
  }) as unknown as ShardedTable

/** The setting for which the counts are refused. */
function refusedFor(setting: Setting, { mayFall = true, table = GLOBAL } = {}): string | undefined {
  try {
    requireSafeRegions(tableOf(setting), table, { mayFall })
    return undefined
  } catch (error) {
    expect(error).toMatchObject({
      code: 'table.unfit',
      message: expect.stringContaining('eu-west-1, us-east-1'),
    })
    return (error as { readonly details: { readonly setting: string } }).details.setting
  }
}

describe('counts that change in a global table', () => {
  it('need a shard map of one region, whatever the suffix', () => {
    for (const suffix of ['random', 'none', 'calculated'] as const) {
      const setting = { suffix, hasClient: false, keysOfOneRegion: true }
      expect(refusedFor(setting, { mayFall: false })).toBe('shardMap')
    }
  })

  it('may grow with a random suffix, and not fall', () => {
    for (const suffix of ['random', 'none'] as const) {
      expect(refusedFor({ suffix })).toBe('shards')
      expect(refusedFor({ suffix, keysOfOneRegion: true })).toBe('shards')
      expect(refusedFor({ suffix }, { mayFall: false })).toBeUndefined()
    }
  })

  it('need keys of one region with a calculated suffix, even to grow', () => {
    expect(refusedFor({ suffix: 'calculated' }, { mayFall: false })).toBe('shardMap')
    expect(refusedFor({ suffix: 'calculated', keysOfOneRegion: true })).toBeUndefined()
  })
})

describe('the error of counts that change in a global table', () => {
  it.each<[string, Setting, string]>([
    [
      'a shard map of each region',
      { hasClient: false },
      'Two regions could change the count of one key at the same time, and the later write would hide the items of the other region. ' +
        'Give the shard map a client of one region, in the processes of all regions: shardMap: { client }. Or use fixedShards(n).',
    ],
    [
      'a random count that falls',
      {},
      'If the count of a key falls, replication could still bring items to a shard that is no longer read. ' +
        'Set dynamicShards({ quiet: false }) in the processes of all regions, and lower no count by hand.',
    ],
    [
      'a calculated suffix',
      { suffix: 'calculated' },
      'With a calculated suffix, a write of another region could bring an item back to a shard that it has left. ' +
        'If the writes of each key all come from one region, say so in the processes of all regions: shardMap: { client, keysOfOneRegion: true }. Or use fixedShards(n).',
    ],
  ])('says what could happen, and how to prevent it: %s', (_what, setting, text) => {
    expect(() => requireSafeRegions(tableOf(setting), GLOBAL, { mayFall: true })).toThrow(
      `log is a global table, with replicas in eu-west-1, us-east-1. ${text}`,
    )
  })
})

describe('counts that change', () => {
  const risky = { suffix: 'calculated', hasClient: false } as const

  it('are safe in a table of one region, and where conditions hold in all regions', () => {
    expect(refusedFor(risky, { table: {} })).toBeUndefined()
    expect(refusedFor(risky, { table: { Replicas: [] } })).toBeUndefined()
    expect(refusedFor(risky, { table: { ...GLOBAL, MultiRegionConsistency: 'STRONG' } })).toBeUndefined()
    expect(refusedFor(risky, { table: { ...GLOBAL, MultiRegionConsistency: 'EVENTUAL' } })).toBe('shardMap')
  })

  const clientOf = (answer: TableDescription | Error) =>
    ({
      send: async () => {
        if (answer instanceof Error) throw answer
        return { Table: answer }
      },
    }) as unknown as PhysicalClient
  const required = (answer: TableDescription | Error) =>
    requireCountsMayChange(tableOf(risky), clientOf(answer), { mayFall: true })

  it('are refused in a table that has become global since, and nowhere else', async () => {
    await expect(required(GLOBAL)).rejects.toMatchObject({ code: 'table.unfit' })
    await expect(required({})).resolves.toBeUndefined()
  })

  it('are refused where the table is missing, and not where it may not be described', async () => {
    const error = (name: string) => Object.assign(new Error(name), { name })
    const missing = error('ResourceNotFoundException')
    await expect(required(missing)).rejects.toMatchObject({ code: 'table.missing', cause: missing })
    await expect(required(error('AccessDeniedException'))).resolves.toBeUndefined()
  })
})
