import fc from 'fast-check'
import { LRUCache } from 'lru-cache'
import { expect, it } from 'vitest'
import { RecentlyUsedMap } from './recently-used-map.js'

const uses = fc.array(
  fc.record({ what: fc.constantFrom('get', 'peek', 'set'), key: fc.nat(12), value: fc.nat() }),
  { maxLength: 300 },
)

it('behaves like lru-cache, and never exceeds its maximum size', () => {
  fc.assert(
    fc.property(uses, fc.integer({ min: 1, max: 8 }), (uses, max) => {
      const map = new RecentlyUsedMap<number, number>(max)
      const judge = new LRUCache<number, number>({ max })
      for (const { what, key, value } of uses) {
        if (what === 'set') {
          map.set(key, value)
          judge.set(key, value)
        } else expect(map[what as 'get' | 'peek'](key)).toBe(judge[what as 'get' | 'peek'](key))
        expect(map.size).toBe(judge.size)
      }
    }),
  )
})
