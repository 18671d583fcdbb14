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
    await expect(required(error('ResourceNotFoundException'))).rejects.toMatchObject({
      code: 'table.missing',
    })
    await expect(required(error('AccessDeniedException'))).resolves.toBeUndefined()
  })
})
