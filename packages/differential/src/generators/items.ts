import fc, { type Arbitrary } from 'fast-check'
import { type KeyModel, keysOf, type TableModel } from '../model/table-model.js'
import { setValue, value, type WireValue, wrongValue } from './values.js'
import { present, sometimes, weighted } from './weighted.js'

/** An item in the form of the wire. */
export type WireItem = { readonly [name: string]: WireValue }

const KEY_VALUES: Record<KeyModel['type'], Arbitrary<WireValue>> = {
  S: fc.constantFrom('a', 'b', 'ab', 'ä', '\u{1F600}', '\uFF5E').map((S) => ({ S })),
  N: fc.constantFrom('0', '1', '2', '10', '-1', '1.5', '1e1', '-2e20').map((N) => ({ N })),
  B: fc.constantFrom('AA==', 'AQ==', 'YQ==', 'YWI=', '/w==').map((B) => ({ B })),
}

/** A valid value of a key attribute: few different ones, so that requests share items. */
export function keyValue({ type }: KeyModel): Arbitrary<WireValue> {
  return KEY_VALUES[type]
}

/** An invalid value of a key attribute. */
export const wrongKeyValue: Arbitrary<WireValue> = weighted<WireValue>(
  [3, value],
  [2, wrongValue],
  [1, fc.constantFrom<WireValue>({ S: '' }, { B: '' }, { S: 'x'.repeat(2049) }, { S: 'x'.repeat(1025) })],
)

function attributes(keys: readonly KeyModel[]): Arbitrary<WireItem> {
  return fc.record(Object.fromEntries(keys.map((each) => [each.name, keyValue(each)])))
}

/** A key of the table. */
export function key(table: TableModel): Arbitrary<WireItem> {
  return attributes(keysOf(table))
}

/** A key, or rarely an invalid one: with too few or too many attributes, or of wrong types. */
export function anyKey(table: TableModel): Arbitrary<WireItem> {
  const whole = key(table)
  return weighted<WireItem>(
    [94, whole],
    [1, fc.tuple(whole, value).map(([rest, more]) => ({ ...rest, a: more }))],
    [1, whole.map((rest) => without(rest, table.hash.name))],
    [1, whole.map((rest) => without(rest, table.range?.name ?? 'pk'))],
    [2, fc.tuple(whole, wrongKeyValue).map(([rest, wrong]) => ({ ...rest, pk: wrong }))],
    [
      1,
      fc
        .tuple(whole, wrongKeyValue)
        .map(([rest, wrong]) => ({ ...rest, [table.range?.name ?? 'pk']: wrong })),
    ],
    [1, fc.constant({})],
  )
}

function without(item: WireItem, name: string): WireItem {
  return Object.fromEntries(Object.entries(item).filter(([each]) => each !== name))
}

const document = fc.constantFrom<WireValue>(
  { M: { x: { N: '1' }, y: { L: [{ S: 'a' }, { N: '2' }] }, z: { M: { x: { S: 'deep' } } } } },
  { M: { x: { S: 'ab' } } },
  { M: {} },
)
const list = fc.constantFrom<WireValue>(
  { L: [{ N: '1' }, { N: '2' }, { N: '3' }] },
  { L: [{ M: { x: { N: '1' } } }, { L: [{ S: 'a' }] }] },
  { L: [] },
)

/** An item of the table, whose attributes have the names that occur in expressions. */
export function item(table: TableModel): Arbitrary<WireItem> {
  const indexKeys = table.indexes.flatMap(keysOf)
  const indexed = fc.record(
    Object.fromEntries(indexKeys.map((each) => [each.name, sometimes(70, keyValue(each))] as const)),
  )
  const others = fc.record({
    a: sometimes(70, value),
    b: sometimes(40, value),
    n: sometimes(
      60,
      fc.integer({ min: -3, max: 30 }).map((n) => ({ N: String(n) })),
    ),
    bag: sometimes(50, setValue),
    steps: sometimes(50, list),
    doc: sometimes(50, document),
    status: sometimes(20, value),
    'x.y': sometimes(5, value),
  })
  return fc.tuple(others, indexed, key(table)).map((parts) => Object.assign({}, ...parts.map(present)))
}

/** An item, or rarely one with an error in it. */
export function anyItem(table: TableModel): Arbitrary<WireItem> {
  const whole = item(table)
  const indexKey = table.indexes.flatMap(keysOf).at(0)?.name ?? 'g'
  const spoilt = (name: string, wrong: Arbitrary<WireValue>) =>
    fc.tuple(whole, wrong).map(([rest, bad]) => ({ ...rest, [name]: bad }))
  return weighted<WireItem>(
    [90, whole],
    [3, spoilt('a', wrongValue)],
    [1, spoilt('pk', wrongKeyValue)],
    [1, spoilt(table.range?.name ?? 'pk', wrongKeyValue)],
    [2, spoilt(indexKey, wrongKeyValue)],
    [1, whole.map((rest) => without(rest, 'pk'))],
    [1, spoilt('', value)],
  )
}
