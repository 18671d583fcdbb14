import { describe, expect, it } from 'vitest'
import type { AttributeValue } from '../attribute-value.js'
import { addToSet, removeFromSet } from './set-members.js'

const blobs = (...members: number[]): AttributeValue => ({ BS: members.map((each) => Uint8Array.of(each)) })

describe('a set', () => {
  it.each<[AttributeValue, AttributeValue, AttributeValue]>([
    [{ SS: ['b', 'd'] }, { SS: ['c', 'b', 'a'] }, { SS: ['a', 'b', 'c', 'd'] }],
    [{ NS: ['9'] }, { NS: ['10', '9', '-1'] }, { NS: ['-1', '9', '10'] }],
    [blobs(2, 4), blobs(3, 2, 1), blobs(1, 2, 3, 4)],
  ])('is united with another one in order, each member once: %j and %j', (present, more, all) => {
    expect(addToSet(present, more)).toEqual(all)
  })

  it.each<[AttributeValue, AttributeValue, AttributeValue | undefined]>([
    [{ SS: ['a', 'b', 'c'] }, { SS: ['b', 'd'] }, { SS: ['a', 'c'] }],
    [{ NS: ['1', '2', '3'] }, { NS: ['2'] }, { NS: ['1', '3'] }],
    [blobs(1, 2, 3), blobs(2), blobs(1, 3)],
    [{ SS: ['a'] }, { SS: ['a'] }, undefined],
    [{ NS: ['1'] }, { NS: ['1'] }, undefined],
    [blobs(1), blobs(1), undefined],
  ])('loses the members of another one, and is gone without members: %j and %j', (present, fewer, left) => {
    expect(removeFromSet(present, fewer)).toEqual(left)
  })

  const OTHERS: readonly AttributeValue[] = [{ SS: ['1'] }, { NS: ['1'] }, blobs(1)]
  it('has nothing to do with a set of another type', () => {
    for (const one of OTHERS) {
      for (const other of OTHERS.filter((each) => each !== one)) {
        expect(() => addToSet(one, other)).toThrow('one type')
        expect(() => removeFromSet(one, other)).toThrow('same type')
      }
    }
  })
})
