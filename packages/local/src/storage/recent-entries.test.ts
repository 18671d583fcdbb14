import { expect, it } from 'vitest'
import { RecentEntries } from './recent-entries.js'

it('keeps the entries that were used last, and forgets the others', () => {
  const recent = new RecentEntries<number, { value: number }>()
  for (let key = 0; key < 100_000; key++) {
    recent.set(key, { value: key })
    expect(recent.get(0)).toEqual({ value: 0 })
  }
  expect(recent.get(99_000)).toEqual({ value: 99_000 })
  expect(recent.get(1_000)).toBeUndefined()
})

it('has the newest entry of a key, or none after its removal', () => {
  const recent = new RecentEntries<number, { value: number }>()
  recent.set(1, { value: 1 })
  for (let key = 2; key < 20_000; key++) recent.set(key, { value: key })
  recent.set(1, { value: -1 })
  expect(recent.get(1)).toEqual({ value: -1 })
  recent.delete(1)
  expect(recent.get(1)).toBeUndefined()
})
