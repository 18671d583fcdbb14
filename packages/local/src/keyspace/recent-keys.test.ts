import { expect, it } from 'vitest'
import { RecentKeys } from './recent-keys.js'

it('knows the keys that were used last, and forgets the others', () => {
  const recent = new RecentKeys<string>()
  for (let key = 0; key < 100_000; key++) {
    recent.set(`${key}`, `of ${key}`)
    if (recent.get('0') !== 'of 0') throw new Error('A key that is always used was forgotten.')
  }
  expect(recent.get('99000')).toBe('of 99000')
  expect(recent.get('1000')).toBeUndefined()
})

it('knows the newest about a key, or nothing after its removal', () => {
  const recent = new RecentKeys<string>()
  recent.set('k', 'old')
  for (let key = 0; key < 20_000; key++) recent.set(`${key}`, 'other')
  recent.set('k', 'new')
  expect(recent.get('k')).toBe('new')
  recent.delete('k')
  expect(recent.get('k')).toBeUndefined()
})
