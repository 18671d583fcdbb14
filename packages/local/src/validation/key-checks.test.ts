import { describe, expect, it } from 'vitest'
import { checkIndexKey, checkKeyNotEmpty } from './key-checks.js'

describe('an empty key of an index', () => {
  const index = { name: 'by-g', schema: { hash: [{ name: 'g', type: 'S' as const }], range: [] } }

  it('is rejected with the names of the index and its key when an item is put', () => {
    expect(() => checkIndexKey(index, { g: { S: '' } }, 'put')).toThrow(
      'A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: by-g, IndexKey: g',
    )
  })

  it('is rejected without them when an update would set it', () => {
    expect(() => checkIndexKey(index, { g: { S: '' } }, 'update')).toThrow(
      'One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value.',
    )
  })
})

describe('a set in place of a key value', () => {
  it('is not treated as an empty key', () => {
    const schema = { hash: [{ name: 'pk', type: 'B' as const }], range: [] }
    expect(() => checkKeyNotEmpty(schema, { pk: { BS: [new Uint8Array()] } })).not.toThrow()
    expect(() => checkKeyNotEmpty(schema, { pk: { B: new Uint8Array() } })).toThrow('an empty binary value')
  })
})
