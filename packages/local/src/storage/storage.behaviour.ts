import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { StoredItem } from './ordered-map.js'
import type { Storage } from './storage.js'

/** The behaviour that every store must have. */
export function describeStorage(name: string, open: () => Storage): void {
  const key = (text: string) => text as EncodedKey
  const item = (text: string): StoredItem => ({ item: { pk: { S: text } }, bytes: text.length })
  const keys = fc.string({ unit: fc.constantFrom('a', 'b', '\u0000', '\u00ff'), maxLength: 4 }).map(key)

  describe(name, () => {
    it('shows a write to writers at once, and to readers when it is durable', async () => {
      const storage = open()
      const map = storage.open('t')
      const written = storage.write([{ keyspace: 't', key: key('k'), before: undefined, after: item('1') }])
      expect(map.latest(key('k'))).toEqual(item('1'))
      await storage.settled()
      await written
      expect(map.get(key('k'))).toEqual(item('1'))
      expect(map.latest(key('k'))).toEqual(item('1'))
      await storage.close()
    })

    it('keeps the sum of the sizes', async () => {
      const storage = open()
      const map = storage.open('t')
      const [small, large] = [item('1'), item('12345')]
      await storage.write([{ keyspace: 't', key: key('k'), before: undefined, after: small }])
      await storage.write([{ keyspace: 't', key: key('k'), before: small, after: large }])
      expect([map.size, map.bytes]).toEqual([1, 5])
      await storage.write([{ keyspace: 't', key: key('k'), before: large, after: undefined }])
      expect([map.size, map.bytes]).toEqual([0, 0])
      await storage.close()
    })

    it('keeps records beside the items', async () => {
      const storage = open()
      await storage.write([], [{ name: 'table/a', value: { name: 'a', since: 1 } }])
      await storage.write([], [{ name: 'table/b', value: ['x', null] }])
      expect(new Map(storage.records())).toEqual(
        new Map<string, unknown>([
          ['table/a', { name: 'a', since: 1 }],
          ['table/b', ['x', null]],
        ]),
      )
      await storage.drop(['t'], [{ name: 'table/a', value: undefined }])
      expect([...storage.records()]).toEqual([['table/b', ['x', null]]])
      await storage.close()
    })

    it('keeps keyspaces apart', async () => {
      const storage = open()
      await storage.write([{ keyspace: 'one', key: key('k'), before: undefined, after: item('1') }])
      expect(storage.open('two').get(key('k'))).toBeUndefined()
      await storage.drop(['one'])
      expect(storage.open('one').size).toBe(0)
      await storage.close()
    })

    it('is empty after emptied(), whatever writes are in flight', async () => {
      const before = open()
      const write = (storage: Storage, name: string) =>
        storage.write(
          [{ keyspace: name, key: key('k'), before: undefined, after: item('1') }],
          [{ name, value: 1 }],
        )
      await write(before, 'one')
      const written = write(before, 'two')
      const storage = (await before.emptied()) ?? before
      await written
      expect([...storage.records()]).toEqual([])
      for (const name of ['one', 'two']) {
        expect([storage.open(name).latest(key('k')), storage.open(name).size]).toEqual([undefined, 0])
      }
      await write(storage, 'two')
      expect(storage.open('two').get(key('k'))).toEqual(item('1'))
      await storage.close()
    })

    it('agrees with a sorted list for all writes and ranges', async () => {
      const change = fc.record({ key: keys, item: fc.option(fc.string(), { nil: undefined }) })
      await fc.assert(
        fc.asyncProperty(
          fc.array(change, { maxLength: 40 }),
          keys,
          keys,
          fc.boolean(),
          async (changes, a, b, reverse) => {
            const storage = open()
            const map = storage.open('t')
            const model = new Map<EncodedKey, StoredItem>()
            for (const { key, item: text } of changes) {
              const stored = text === undefined ? undefined : item(text)
              await storage.write([{ keyspace: 't', key, before: model.get(key), after: stored }])
              if (stored === undefined) model.delete(key)
              else model.set(key, stored)
            }
            const [from, to] = a < b ? [a, b] : [b, a]
            for (const end of [to, undefined]) {
              const expected = [...model]
                .filter(([each]) => each >= from && (end === undefined || each < end))
                .sort(([left], [right]) => (left < right ? -1 : 1))
              if (reverse) expected.reverse()
              const seen = [...map.range({ from, to: end }, reverse)].map(([each, stored]) => [each, stored])
              expect(seen).toEqual(expected)
            }
            expect(map.size).toBe(model.size)
            await storage.close()
          },
        ),
      )
    })
  })
}
