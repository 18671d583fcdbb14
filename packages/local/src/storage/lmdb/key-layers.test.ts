import { describe, expect, it } from 'vitest'
import { decodeLink, encodeLink, rowKey } from './key-layers.js'

/** Every border between two bytes, and the highest layer. */
const LAYERS = [0, 1, 0xff, 0x100, 0xffff, 0x1_0000, 2 ** 24 - 1, 2 ** 24, 2 ** 40 + 5, 2 ** 48 - 1]

describe('the key of a row', () => {
  it('begins with the number of its layer in six bytes, so that layers lie in order', () => {
    for (const layer of LAYERS) {
      const bytes = Buffer.from(rowKey(layer, 'key'), 'latin1')
      expect(bytes.readUIntBE(0, 6)).toBe(layer)
      expect(bytes.toString('latin1', 6)).toBe('key')
    }
    expect(LAYERS.map((layer) => rowKey(layer, '')).toSorted()).toEqual(
      LAYERS.map((layer) => rowKey(layer, '')),
    )
  })
})

describe('a link', () => {
  it('holds its layer and the number of its keys', () => {
    for (const layer of LAYERS) {
      for (const keys of LAYERS) expect(decodeLink(encodeLink({ layer, keys }))).toEqual({ layer, keys })
    }
  })
})
