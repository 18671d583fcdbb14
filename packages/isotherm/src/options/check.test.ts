import { describe, expect, it } from 'vitest'
import { growByReads } from '../scaling/grow-by-reads.js'
import { proportional } from '../scaling/policy.js'
import { raiseWriteCapacity } from '../scaling/raise-write-capacity.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'
import { calculated } from '../writes/calculated.js'

/** For values that the types do not allow, as in JavaScript. */
const given = (value: unknown) => value as never

describe('options of the wrong shape', () => {
  it.each<[string, () => unknown, RegExp]>([
    [
      'a count',
      () => dynamicShards(given(10)),
      /^dynamicShards is 10; it must be an object with some .* initial, max,/,
    ],
    ['null', () => dynamicShards(given(null)), /^dynamicShards is null; it must be an object/],
    ['text', () => dynamicShards(given('10')), /^dynamicShards is "10"; it must be an object/],
    ['a list', () => calculated(given(['order'])), /^calculated is \["order"\]; it must be .* from\.$/],
    ['a share', () => proportional(given(0.5)), /^proportional is 0.5; it must be .* targetUtilization/],
    ['units', () => growByReads(given(3_000)), /^growByReads is 3000; it must be an object/],
    [
      'units of writes',
      () => raiseWriteCapacity(given(4_000)),
      /^raiseWriteCapacity is 4000; .* maxWriteUnits/,
    ],
    [
      'nothing',
      () => fixedShards(given(undefined)),
      /^fixedShards\(count\) is undefined; it must be a whole/,
    ],
    ['an object', () => fixedShards(given({ count: 3 })), /^fixedShards\(count\) is {"count":3}; it must be/],
    ['a bigint', () => fixedShards(given(10n)), /^fixedShards\(count\) is 10n; it must be a whole number/],
    [
      'bigints',
      () => fixedShards(given([10n])),
      /^fixedShards\(count\) is \[object Array\]; it must be a whole/,
    ],
    [
      'a bigint in an object without a prototype',
      () => fixedShards(given(Object.assign(Object.create(null), { count: 10n }))),
      /^fixedShards\(count\) is \[object Object\]; it must be a whole number/,
    ],
  ])('are refused with what they are and what they must be: %s', (_what, make, message) => {
    expect(make).toThrow(
      expect.objectContaining({ code: 'options.invalid', message: expect.stringMatching(message) }),
    )
  })
})
