import { describe, expect, it } from 'vitest'
import type { LogicalKey } from '../keys/key.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import { TablesByName } from '../sdk/tables-by-name.js'
import type { KeyShards } from './key-shards.js'
import { shardsByHand } from './shards-by-hand.js'

const SHARDS = {} as KeyShards

/** Two tables of a client, the second with one count for all keys, and the keys that were asked for. */
function setUp() {
  const asked: LogicalKey[] = []
  const table = (name: string, shards: KeyShards | undefined) => ({
    options: { name },
    scaling: {
      byHand: (key: LogicalKey) => {
        asked.push(key)
        return shards
      },
    },
  })
  const tables = new TablesByName({} as PhysicalClient, [table('log', SHARDS), table('counts', undefined)])
  return { asked, of: (name: string, key: unknown) => shardsByHand(tables, name, key) }
}

describe('db.shards', () => {
  it('takes the text or the bytes of a key', () => {
    const { asked, of } = setUp()
    expect(of('log', '/sale')).toBe(SHARDS)
    expect(of('log', new Uint8Array([1, 2]))).toBe(SHARDS)
    expect(asked).toEqual([{ S: '/sale' }, { B: new Uint8Array([1, 2]) }])
  })

  it.each(['', new Uint8Array(), 5, undefined, { S: 'k' }])('refuses what is no key: %o', (key) => {
    expect(() => setUp().of('log', key)).toThrow(
      expect.objectContaining({ code: 'options.invalid', details: { option: 'shards(key)', value: key } }),
    )
  })

  it('refuses a table that the options do not name, and names those that they do', () => {
    expect(() => setUp().of('logs', 'k')).toThrow(
      expect.objectContaining({
        code: 'options.invalid',
        details: { option: 'shards(table)', value: 'logs' },
        message: expect.stringContaining('log, counts'),
      }),
    )
  })

  it('refuses a table with one count for all keys', () => {
    expect(() => setUp().of('counts', 'k')).toThrow(
      expect.objectContaining({ code: 'shards.fixed', details: { table: 'counts' } }),
    )
  })
})
