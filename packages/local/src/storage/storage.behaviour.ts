import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { Change, StoredItem } from './ordered-map.js'
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
      expect(plain(map.latest(key('k')))).toEqual(item('1'))
      await storage.settled()
      await written
      expect(plain(map.get(key('k')))).toEqual(item('1'))
      expect(plain(map.latest(key('k')))).toEqual(item('1'))
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
      expect(plain(storage.open('two').get(key('k')))).toEqual(item('1'))
      await storage.close()
    })

    it('shows one moment in a view, whatever is written and dropped later', async () => {
      const storage = open()
      const named = (at: number) => key(`k${String(at).padStart(4, '0')}`)
      const all = Array.from({ length: 300 }, (_, at) => at)
      const put = (at: number, before: string | undefined, after: string | undefined): Change => ({
        keyspace: 't',
        key: named(at),
        before: before === undefined ? undefined : item(before),
        after: after === undefined ? undefined : item(after),
      })
      await storage.write(all.map((at) => put(at, undefined, 'old')))
      const view = storage.view('t')
      const empty = storage.view('nothing')
      const seen = () =>
        [...view.range({ from: key(''), to: undefined })].map(([each, { item }]) => [each, item.pk])
      const expected = all.map((at) => [named(at), { S: 'old' }])
      for (let round = 0; round < 10; round++) {
        await storage.write(
          all.filter((at) => at % 10 === round).map((at) => put(at, 'old', at % 3 === 0 ? undefined : 'new')),
        )
        await storage.write([put(1_000 + round, undefined, 'later')])
        expect([...storage.open('t').range({ from: named(1_000), to: undefined })]).toHaveLength(round + 1)
        expect(seen()).toEqual(expected)
      }
      expect([...view.range({ from: named(7), to: named(9) })].map(([each]) => each)).toEqual([
        named(7),
        named(8),
      ])
      await storage.drop(['t'])
      await storage.write([put(0, undefined, 'again')])
      expect(seen()).toEqual(expected)
      expect([view.size, view.bytes, empty.size]).toEqual([300, 900, 0])
      const begun = view.range({ from: key(''), to: undefined })[Symbol.iterator]()
      begun.next()
      view.close()
      view.close()
      expect(() => begun.next()).toThrow('is closed')
      expect(() => seen()).toThrow('is closed')
      // A store closes the views that are left.
      await storage.close()
    })

    it('shows in a view all changes of a write, or none', async () => {
      const storage = open()
      const pair = (count: number) =>
        ['a', 'b'].map((name): Change => {
          const before = count === 0 ? undefined : item(String(count - 1))
          return { keyspace: 't', key: key(name), before, after: item(String(count)) }
        })
      const views = Array.from({ length: 40 }, (_, count) => {
        const written = storage.write(pair(count))
        return { view: storage.view('t'), written }
      })
      for (const { view, written } of views) {
        await written
        const items = [...view.range({ from: key(''), to: undefined })].map(([, stored]) => stored.item.pk)
        expect(items).toEqual(items.length === 0 ? [] : [items[0], items[0]])
      }
      const last = storage.view('t')
      expect([...last.range({ from: key(''), to: undefined })].map(([, { item }]) => item.pk)).toEqual([
        { S: '39' },
        { S: '39' },
      ])
      await storage.close()
    })

    it('agrees with a sorted list for all writes and ranges', async () => {
      const change = fc.record({ key: keys, item: fc.option(fc.string(), { nil: undefined }) })
      // One store for all cases, each in a separate keyspace: a store on disk takes long to create.
      const storage = open()
      let keyspaces = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(change, { maxLength: 40 }),
          keys,
          keys,
          fc.boolean(),
          async (changes, a, b, reverse) => {
            const keyspace = `t${keyspaces++}`
            const map = storage.open(keyspace)
            const model = new Map<EncodedKey, StoredItem>()
            const written: unknown[] = []
            for (const [index, { key, item: text }] of changes.entries()) {
              const stored = text === undefined ? undefined : item(text)
              written.push(storage.write([{ keyspace, key, before: model.get(key), after: stored }]))
              // Some writes follow what is durable, others come with it.
              if (index % 4 === 0) await Promise.all(written)
              if (stored === undefined) model.delete(key)
              else model.set(key, stored)
            }
            await Promise.all(written)
            const [from, to] = a < b ? [a, b] : [b, a]
            for (const end of [to, undefined]) {
              const expected = [...model]
                .filter(([each]) => each >= from && (end === undefined || each < end))
                .sort(([left], [right]) => (left < right ? -1 : 1))
              if (reverse) expected.reverse()
              const seen = plainEntries(map.range({ from, to: end }, reverse))
              expect(seen).toEqual(expected)
            }
            expect(map.size).toBe(model.size)
          },
        ),
      )
      await storage.close()
    })
  })
}

/** The members of a stored item of any kind, for comparisons. */
export function plain(stored: StoredItem | undefined): StoredItem | undefined {
  return stored === undefined ? undefined : { item: stored.item, bytes: stored.bytes }
}

/** The entries of a range, for comparisons. */
export function plainEntries(
  range: Iterable<readonly [EncodedKey, StoredItem]>,
): (readonly [EncodedKey, StoredItem | undefined])[] {
  return [...range].map(([key, stored]) => [key, plain(stored)])
}
