import { expect, it, vi } from 'vitest'
import type { AttributeValue } from './attribute-value.js'
import { hasElement } from './list-search.js'

const KINDS: readonly AttributeValue[] = [
  { S: '1' },
  { N: '1' },
  { BOOL: true },
  { NULL: true },
  { B: Uint8Array.from([1]) },
  { L: [{ S: '1' }] },
  { M: { a: { S: '1' } } },
  { SS: ['1'] },
]
const filled = (count: number, more: readonly AttributeValue[]): AttributeValue[] => [
  ...Array.from({ length: count }, (_, number) => ({ S: `other ${number}` })),
  ...more,
]

it.each([3, 2_000])(
  'a value of each kind is found among %i others, however often it is looked for, and only there',
  (count) => {
    const all = filled(count, KINDS)
    const none = filled(count, [])
    for (let search = 0; search < 10; search++) {
      for (const kind of KINDS) {
        expect(hasElement(all, structuredClone(kind))).toBe(true)
        expect(hasElement(none, structuredClone(kind))).toBe(false)
      }
    }
    for (const kind of KINDS)
      for (let search = 0; search < 10; search++) expect(hasElement(all, kind)).toBe(true)
    for (const kind of KINDS)
      for (let search = 0; search < 10; search++) expect(hasElement(none, kind)).toBe(false)
  },
)

it('kinds are told apart, with the same text and in a long list that is searched often', () => {
  const list = filled(2_000, [{ S: '1' }, { S: 'NULL' }, { S: 'BOOLtrue' }])
  for (let search = 0; search < 10; search++) {
    expect(hasElement(list, { S: '1' })).toBe(true)
    for (const absent of [
      { N: '1' },
      { NULL: true as const },
      { BOOL: true },
      { BOOL: false },
      { S: 'other' },
    ])
      expect(hasElement(list, absent)).toBe(false)
  }
})

/** A list that counts how often one of its members is asked for. */
const countedList = (count: number) => {
  const list = filled(count, [])
  const counter = { reads: 0 }
  const counted = new Proxy(list, {
    get(members, name) {
      counter.reads++
      return Reflect.get(members, name, members)
    },
  })
  return { list: counted, counter }
}

it.each([1_000, 2_000])(
  'a list of %i elements is read twice, however many values are looked for',
  (count) => {
    const { list, counter } = countedList(count)
    const short = filled(3, [])
    for (let search = 0; search < 100; search++) {
      expect(hasElement(list, { N: String(search) })).toBe(false)
      // A search in a short list in between, as an expression has them, changes nothing.
      expect(hasElement(short, { N: String(search) })).toBe(false)
    }
    expect(counter.reads).toBeGreaterThan(count)
    expect(counter.reads).toBeLessThan(3 * count)
  },
)

it('a long list can be the first one that a process searches', async () => {
  vi.resetModules()
  const fresh = await import('./list-search.js')
  expect(fresh.hasElement(filled(2_000, [{ N: '1' }]), { N: '1' })).toBe(true)
})
