import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { expect, it } from 'vitest'
import type { PlainItem, PlainValue } from '../values/plain-item.js'
import { ensureChunkTable } from './ensure-chunk-table.js'
import { large } from './large.js'
import type { LargeOptions } from './large-options.js'

const options: LargeOptions = { table: 'documents', partitionKey: 'id' }

/** A client that nothing may be sent to. */
const silent = {
  config: {},
  middlewareStack: {},
  send: () => {
    throw new Error('something was sent')
  },
}

it.each([
  [{ tabel: 'x' }, 'options.unknown', 'large.tabel'],
  [{ table: '' }, 'options.invalid', 'large.table is ""'],
  [{ partitionKey: 1 }, 'options.invalid', 'large.partitionKey is 1'],
  [{ sortKey: '' }, 'options.invalid', 'large.sortKey'],
  [{ compression: 'lzma' }, 'options.invalid', 'one of none, gzip, brotli'],
  [{ store: {} }, 'options.invalid', 'directoryStore(folder)'],
  [{ maxInlineBytes: 500_000 }, 'options.invalid', 'a whole number from 8192 to 408576'],
  [{ minAttributeBytes: 100 }, 'options.invalid', 'a whole number from 2049 to 408576'],
  [{ pieceBytes: 409_600 }, 'options.invalid', 'large.pieceBytes'],
  [{ writeWithin: 'soon' }, 'options.invalid', 'large.writeWithin'],
  [{ writeWithin: 0 }, 'options.invalid', 'longer than nothing'],
  [{ concurrency: 0 }, 'options.invalid', 'large.concurrency'],
])('the option %j is refused with %s', (given, code, message) => {
  expect(() => large(silent, { ...options, ...given } as never)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  )
})

it('no client is refused', () => {
  expect(() => large({} as never, options)).toThrow(expect.objectContaining({ code: 'options.invalid' }))
})

const documents = large(silent, options)
const big = 'x'.repeat(500_000)

it.each([
  ['an item without its key', () => documents.put({ body: big }), 'key.missing'],
  [
    'an item whose key is too long',
    () => documents.put({ id: 'x'.repeat(2_049), body: big }),
    'pattern.value',
  ],
  ['an item whose key is empty', () => documents.put({ id: '', body: big }), 'pattern.value'],
  ['an item whose key is a list', () => documents.put({ id: ['a'], body: big }), 'pattern.value'],
  ['an attribute without a name', () => documents.put({ id: 'a', '': 1, body: big }), 'pattern.value'],
  ['an item that is none', () => documents.put('a' as never), 'pattern.value'],
  ['a value that is none', () => documents.put({ id: 'a', at: new Date(0) } as never), 'pattern.value'],
  ['a name of its own', () => documents.put({ id: 'a', isotherm_large: 1 }), 'large.reserved'],
  [
    'a stand-in as another command has read it',
    () => documents.put({ id: 'a', body: { isotherm_large: {} } }),
    'large.reserved',
  ],
  [
    'many small attributes that are too large together',
    () => documents.put({ id: 'a', ...Object.fromEntries(smallAttributes()) }),
    'large.unfit',
  ],
  [
    'an item above its bound',
    () => large(silent, { ...options, maxItemBytes: 408_576 }).put({ id: 'a', body: big }),
    'large.unfit',
  ],
  [
    'an option of a put',
    () => documents.put({ id: 'a', body: big }, { when: 1 } as never),
    'options.unknown',
  ],
  [
    'a condition without an expression',
    () => documents.put({ id: 'a', body: big }, { condition: {} as never }),
    'options.invalid',
  ],
  [
    'a value of a condition',
    () =>
      documents.put(
        { id: 'a', body: big },
        { condition: { expression: 'a = :a', values: { ':a': undefined as never } } },
      ),
    'pattern.value',
  ],
  ['a key without its attribute', () => documents.get({ name: 'a' }), 'key.missing'],
  ['a key with more than it', () => documents.delete({ id: 'a', page: 1 }), 'options.unknown'],
  ['no attributes', () => documents.get({ id: 'a' }, { attributes: [] }), 'options.invalid'],
  ['an update of nothing', () => documents.update({ id: 'a' }, {}), 'options.invalid'],
  ['an update of the key', () => documents.update({ id: 'a' }, { set: { id: 'b' } }), 'options.invalid'],
  [
    'a removal that is no list',
    () => documents.update({ id: 'a' }, { remove: 'body' as never }),
    'options.invalid',
  ],
  ['a removal of a number', () => documents.update({ id: 'a' }, { remove: [5] as never }), 'options.invalid'],
  [
    'a stand-in in an update',
    () => documents.update({ id: 'a' }, { set: { body: { isotherm_large: {} } } }),
    'large.reserved',
  ],
  [
    'an attribute that is a number',
    () => documents.get({ id: 'a' }, { attributes: [5] as never }),
    'options.invalid',
  ],
  [
    'an attribute without a letter',
    () => documents.get({ id: 'a' }, { attributes: [''] }),
    'options.invalid',
  ],
  [
    'a consistency that is a text',
    () => documents.get({ id: 'a' }, { consistent: 'yes' as never }),
    'options.invalid',
  ],
  ['a signal that is none', () => documents.get({ id: 'a' }, { signal: 5 as never }), 'options.invalid'],
  [
    'a signal of a put that is none',
    () => documents.put({ id: 'a', body: big }, { signal: {} as never }),
    'options.invalid',
  ],
  [
    'options of a restoration that are none',
    () => documents.restore({ id: 'a' }, null as never),
    'options.invalid',
  ],
  ['a report that is no function', () => documents.collect({ onProgress: 5 as never }), 'options.invalid'],
  ['a list with a hole', () => documents.put({ id: 'a', list: new Array(3) }), 'pattern.value'],
  ['an item that contains itself', () => documents.put(endless()), 'pattern.value'],
  ['a collection of what is young', () => documents.collect({ olderThan: '1m' }), 'options.invalid'],
])('%s is refused, and nothing is sent', async (_name, act, code) => {
  await expect(act()).rejects.toMatchObject({ code })
})

function endless(): PlainItem {
  const item: Record<string, PlainValue> = { id: 'a' }
  item.back = item
  return item
}

function smallAttributes(): readonly (readonly [string, string])[] {
  return Array.from({ length: 200 }, (_, index) => [`a${index}`, 'x'.repeat(3_000)])
}

it('a table that is none of chunks is not used for them', async () => {
  const local = createLocal({ throttle: false })
  const client = local.client()
  await client.send(createTable('documents_chunks', ['id']))
  await expect(ensureChunkTable(client, { table: 'documents' })).rejects.toMatchObject({
    code: 'large.chunk-table',
    message: expect.stringContaining('has the key id (S)'),
  })
  await local.close()
})
