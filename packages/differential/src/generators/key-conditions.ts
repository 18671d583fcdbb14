import fc, { type Arbitrary } from 'fast-check'
import type { KeyModel, TableModel } from '../model/table-model.js'
import { condition } from './conditions.js'
import { keyValue, wrongKeyValue } from './items.js'
import type { ValuePool } from './placeholders.js'
import { seldomSpoilt } from './spoilt-text.js'
import type { WireValue } from './values.js'
import { weighted } from './weighted.js'

/** A key condition and the values in it. */
export interface KeyQuestion {
  readonly text: string
  readonly values: ValuePool
}

/** Key conditions on a table or index: of every form, and of forms that are not allowed for keys. */
export function keyQuestion({ hash, range }: Pick<TableModel, 'hash' | 'range'>): Arbitrary<KeyQuestion> {
  const text = fc.tuple(
    hashTest(hash),
    range === undefined ? fc.constant('') : rangeTest(range),
    fc.boolean(),
  )
  const whole = text.map(([first, second, turned]) =>
    second === '' ? first : turned ? `${second} AND ${first}` : `${first} AND ${second}`,
  )
  return fc.record({
    text: weighted([24, seldomSpoilt(whole)], [1, condition]),
    values: fc.record({
      ':pk': value(hash),
      ':lo': value(range ?? hash),
      ':hi': value(range ?? hash),
    }),
  })
}

function value(key: KeyModel): Arbitrary<WireValue> {
  return weighted([95, keyValue(key)], [5, wrongKeyValue])
}

function hashTest({ name }: KeyModel): Arbitrary<string> {
  return weighted(
    [90, fc.constant(`${name} = :pk`)],
    [4, fc.constant(`:pk = ${name}`)],
    [
      6,
      fc.constantFrom(
        `${name} > :pk`,
        `${name} <> :pk`,
        `begins_with(${name}, :pk)`,
        `${name} IN (:pk)`,
        `${name} = ${name}`,
        `${name}.x = :pk`,
        `attribute_exists(${name})`,
        `size(${name}) = :pk`,
        `NOT ${name} = :pk`,
        `a = :pk`,
        `${name} = :pk AND ${name} = :pk`,
        `${name} = :pk AND a = :lo`,
        `${name} = :pk OR ${name} = :lo`,
        `(${name} = :pk)`,
      ),
    ],
  )
}

function rangeTest({ name }: KeyModel): Arbitrary<string> {
  return weighted(
    [8, fc.constant('')],
    [6, fc.constantFrom('=', '<', '<=', '>', '>=').map((operator) => `${name} ${operator} :lo`)],
    [4, fc.constant(`${name} BETWEEN :lo AND :hi`)],
    [3, fc.constant(`begins_with(${name}, :lo)`)],
    [1, fc.constantFrom(`:lo < ${name}`, `(${name} >= :lo)`, `${name} <> :lo`, `${name} IN (:lo, :hi)`)],
    [
      1,
      fc.constantFrom(
        `begins_with(:lo, ${name})`,
        `contains(${name}, :lo)`,
        `${name} > :lo AND ${name} < :hi`,
        `:lo BETWEEN ${name} AND :hi`,
        `${name} = ${name}`,
        `${name}[0] = :lo`,
        `b = :lo`,
      ),
    ],
  )
}
