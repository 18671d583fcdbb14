import { describe, expect, it } from 'vitest'
import { LAYER_BYTES } from './key-layers.js'
import { decodeSystemKey, systemKey } from './system-rows.js'

describe("a row of the store's own", () => {
  it('is of layer 0, and is named by its kind and any text', () => {
    for (const name of ['', 'orders', 'a/b', 'größe/é']) {
      const key = systemKey('record', name)
      expect(key.slice(0, LAYER_BYTES)).toBe('\0'.repeat(LAYER_BYTES))
      expect(decodeSystemKey(key.slice(LAYER_BYTES))).toEqual({ kind: 'record', name })
    }
  })

  it('of each kind has a range of its own', () => {
    expect(systemKey('record', 'x')).not.toBe(systemKey('keyspace', 'x'))
    expect(systemKey('next-layer')).toBe(systemKey('next-layer', ''))
  })

  it('has a name of 1,900 bytes at most', () => {
    expect(() => systemKey('record', 'é'.repeat(950))).not.toThrow()
    expect(() => systemKey('record', `${'é'.repeat(950)}a`)).toThrow('this one has 1901')
  })
})
