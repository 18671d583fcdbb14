import { isDeepStrictEqual } from 'node:util'
import type { AttributeValue, Item } from '@isotherm/semantics'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeItem } from '../../validation/decode-item.js'
import { decodeStoredItem, EncodedItem, encodeStoredItem } from './stored-item-codec.js'

const name = fc.oneof(
  fc.constantFrom('B', 'BS', 'M', 'S', '__proto__', '{"B":"', 'é\ud800'),
  fc.string({ minLength: 1 }),
)
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', '{"B":"AA=="}', '"', '\u0000'))
const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'value' },
    text.map((S): AttributeValue => ({ S })),
    fc.integer().map((N): AttributeValue => ({ N: String(N) })),
    fc.boolean().map((BOOL): AttributeValue => ({ BOOL })),
    fc.constant<AttributeValue>({ NULL: true }),
    fc.uint8Array().map((B): AttributeValue => ({ B })),
    fc.uniqueArray(fc.integer().map(String), { minLength: 1 }).map((NS): AttributeValue => ({ NS })),
    fc.uniqueArray(text, { minLength: 1 }).map((SS): AttributeValue => ({ SS })),
    fc
      .uniqueArray(fc.uint8Array(), { minLength: 1, selector: (bytes) => bytes.join() })
      .map((BS): AttributeValue => ({ BS })),
    fc.array(tie('value'), { maxLength: 4 }).map((L): AttributeValue => ({ L })),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map(
      (members): AttributeValue => ({
        M: Object.fromEntries(members) as Item,
      }),
    ),
  ),
}))

it('decodes every item to what the engine encoded, and its size', () => {
  const items = fc.array(fc.tuple(name, value)).map((members) => decodeItem(Object.fromEntries(members)))
  fc.assert(
    fc.property(items, fc.integer({ min: 0, max: 409_600 }), (item, bytes) => {
      // Uses Node's comparison, because an attribute may be named `constructor`.
      expect(isDeepStrictEqual(decodeStoredItem(encodeStoredItem({ item, bytes })), { item, bytes })).toBe(
        true,
      )
    }),
    { numRuns: 1_000 },
  )
})

it('has the text of every item as responses contain it', () => {
  const items = fc.array(fc.tuple(name, value)).map((members) => decodeItem(Object.fromEntries(members)))
  fc.assert(
    fc.property(items, (item) => {
      expect(new EncodedItem(encodeStoredItem({ item, bytes: 1 })).text).toBe(JSON.stringify(item))
    }),
    { numRuns: 1_000 },
  )
})
