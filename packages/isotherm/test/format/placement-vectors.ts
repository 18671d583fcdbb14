import type { KeyValue } from '@isotherm/semantics'
import { canonicalKeyValue } from '../../src/keys/item-key.js'
import type { LogicalKey } from '../../src/keys/key.js'
import { jump } from '../../src/protocol/placement/jump.js'
import { placeHash } from '../../src/protocol/placement/place-hash.js'
import { placementOf } from '../../src/protocol/placement/placement.js'
import { fixedView } from '../../src/protocol/states/shard-view.js'
import { itemHash } from '../../src/scaling/sensing/item-hash.js'
import { calculated } from '../../src/writes/calculated.js'
import { combinations, type Section, section } from './vector-section.js'

const COUNTS = [1, 2, 3, 4, 5, 8, 10, 16, 64, 100, 128, 200, 999, 1_000]

const DIGITS_38 = '12345678901234567890123456789012345678'
const NUMBERS = [
  ...[
    '0',
    '-0',
    '0.0',
    '1',
    '1.0',
    '1e0',
    '01',
    '+1',
    '10',
    '1e1',
    '100',
    '1e2',
    '1E+2',
    '0.1',
    '.1',
    '1e-1',
  ],
  ...['-1', '-1.50', '-15e-1', '1700000000000', '1.7e12', DIGITS_38, `-${DIGITS_38}`, `0.${DIGITS_38}`],
  ...['1e125', '9.9999999999999999999999999999999999999e125', '1e-130', '-1e-130'],
]
const TEXTS = [
  '',
  'order-1',
  'order-2',
  ' ',
  'ä',
  'a\u0308',
  '😀',
  '\u0000',
  '2027-01-01T00:00:00Z',
  '1',
  'x'.repeat(1_024),
]
const BYTES = [[], [0], [255], [0, 255], [49], [240, 159, 152, 128]]

const values: readonly KeyValue[] = [
  ...TEXTS.map((S) => ({ S })),
  ...NUMBERS.map((N) => ({ N })),
  ...BYTES.map((B) => ({ B: new Uint8Array(B) })),
]

const lists: readonly (readonly KeyValue[])[] = [
  ...values.map((value) => [value]),
  [{ S: 'ab' }, { S: 'c' }],
  [{ S: 'a' }, { S: 'bc' }],
  [{ S: 'acme' }, { N: '7.0' }],
  [{ N: '7' }, { S: 'acme' }],
  [{ S: 'acme' }, { B: new Uint8Array([1, 2]) }],
  [{ B: new Uint8Array([1]) }, { B: new Uint8Array([2]) }],
]

const hex = (hash: bigint) => hash.toString(16).padStart(16, '0')

const HASHES = [
  '0000000000000000',
  '0000000000000001',
  'ffffffffffffffff',
  '8000000000000000',
  '0123456789abcdef',
]

/** The items of the placements: with and without a sort key, of every type. */
const items: readonly { readonly partition: KeyValue; readonly sort?: KeyValue }[] = [
  { partition: { S: 'acme' } },
  { partition: { B: new Uint8Array([1, 2, 3]) } },
  ...[{ S: 'order-1' }, { N: '1e2' }, { N: '100' }, { B: new Uint8Array([0, 255]) }].map((sort) => ({
    partition: { S: 'acme' },
    sort,
  })),
]

export const placementSections: Readonly<Record<string, Section>> = {
  numbers: section(
    NUMBERS.map((number) => ({ number })),
    ({ number }) => ({ canonical: (canonicalKeyValue({ N: number }) as { N: string }).N }),
  ),
  /** Key values, in the order in which they are hashed, and the 64 bits in hexadecimal digits. */
  hashes: section(
    lists.map((list) => ({ values: list })),
    ({ values: list }) => ({ hash: hex(placeHash(list.map(canonicalKeyValue))) }),
  ),
  /** The bucket of a hash for each count, from 0. */
  jumps: section(
    [...HASHES, ...['order-1', 'order-2'].map((S) => hex(placeHash([{ S }])))].map((hash) => ({ hash })),
    ({ hash }) => ({
      buckets: Object.fromEntries(COUNTS.map((count) => [count, jump(BigInt(`0x${hash}`), count)])),
    }),
  ),
  /** The shard of an item of a table with a calculated suffix. Without `from`, the sort key counts, or else the partition key. */
  shards: section(
    [
      ...combinations<{ item: (typeof items)[number]; shards: number }>({
        item: items,
        shards: [1, 2, 7, 10, 1_000],
      }),
      ...[['sk'], ['pk'], ['pk', 'sk'], ['sk', 'pk']].flatMap((from) =>
        [7, 200].map((shards) => ({ from, item: { partition: { S: 'acme' }, sort: { N: '7.0' } }, shards })),
      ),
    ] as { from?: readonly string[]; item: (typeof items)[number]; shards: number }[],
    ({ from, item: { partition, sort }, shards }) => {
      const suffix = calculated(from === undefined ? {} : { from })
      const logical = partition as object as LogicalKey
      const key = { logical, sort: sort === undefined ? undefined : canonicalKeyValue(sort) }
      return { shard: placementOf({ suffix, partitionKey: 'pk' }).home(fixedView(shards), key) }
    },
  ),
  /** The class of an item in `heat_items_<class>`. */
  heatClasses: section(
    values.map((sort) => ({ sort })),
    ({ sort }) => ({ class: itemHash(canonicalKeyValue(sort)) }),
  ),
}
