import { CreateTableCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { type Directory, defineDirectory, directory, directoryTable, phoneNumber } from './index.js'

const definition = defineDirectory({
  table: 'contacts',
  fields: { name: { required: true } },
  links: { category: {} },
})
type Contacts = Directory<{ name: { required: true } }, { category: object }>

const bad = (value: unknown) => value as never
const key = { ID: { S: 'acme#a' }, DataType: { S: 'item' } }
const calls: readonly (readonly [what: string, place: string, call: (contacts: Contacts) => unknown])[] = [
  ['a number as a prefix', 'directory.targets', (of) => of.tenant('acme').targets('category', bad(5))],
  ['null as a prefix', 'directory.targets', (of) => of.tenant('acme').targets('category', bad(null))],
  ['a long prefix', 'directory.targets', (of) => of.tenant('acme').targets('category', 'x'.repeat(1_001))],
  ['an unknown kind', 'directory: the kind of link', (of) => of.tenant('acme').targets(bad('group'))],
  ['a number as a start key', 'directory.check.startKey', (of) => of.check({ startKey: bad(5) })],
  ['null as a start key', 'directory.check.startKey', (of) => of.check({ startKey: bad(null) })],
  ['a start key without attributes', 'directory.check.startKey', (of) => of.check({ startKey: {} })],
  [
    'a start key of plain values',
    'directory.check.startKey',
    (of) => of.check({ startKey: { ID: 'acme#a', DataType: 'item' } }),
  ],
  [
    'a start key of another table',
    'directory.check.startKey',
    (of) => of.check({ startKey: { ...key, other: { S: 'x' } } }),
  ],
  ['a number as a signal', 'directory.check.signal', (of) => of.check({ signal: bad(5) })],
  ['an object as a signal', 'directory.check.signal', (of) => of.check({ signal: bad({ aborted: true }) })],
  ['no record', 'directory.onStreamRecord', (of) => of.onStreamRecord(bad(undefined))],
  ['text as a record', 'directory.onStreamRecord', (of) => of.onStreamRecord(bad('{}'))],
]

describe('a directory', () => {
  it.each(calls)('refuses %s', async (_what, option, call) => {
    const { clock, client } = await patternEngine([new CreateTableCommand(directoryTable(definition))])
    await clock.run(async () => {
      const contacts = directory(client, definition, { clock, random: new SeededRandom(1) })
      await contacts.tenant('acme').create({ name: 'Ann' }, { id: 'a' })
      const refused = { code: 'options.invalid', details: { option } }
      // Not thrown at once: callers catch what a promise rejects with.
      await expect(Promise.resolve(call(contacts))).rejects.toMatchObject(refused)
    })
  })

  it('names the call that creates the target of a link', async () => {
    const { clock, client } = await patternEngine([new CreateTableCommand(directoryTable(definition))])
    await clock.run(async () => {
      const contacts = directory(client, definition, { clock, random: new SeededRandom(1) }).tenant('acme')
      await contacts.create({ name: 'Ann' }, { id: 'a' })
      const linked = contacts.import([{ id: 'b', fields: { name: 'Bob' }, links: { category: ['7'] } }])
      await expect(linked).rejects.toThrow(`Create it with setTarget("category", "7", name)`)
      await expect(contacts.link('a', 'category', '7')).rejects.toThrow(
        `Create it with setTarget("category", "7", name)`,
      )
    })
  })

  it.each([
    ['phoneNumber, which makes one', phoneNumber],
    ['one that returns nothing', () => undefined],
    ['one that fails', () => JSON.parse('')],
    ['text', 'lower'],
  ])('refuses as a normalizer %s', (_what, normalize) => {
    const fields = { phone: { normalize: normalize as never } }
    expect(() => defineDirectory({ table: 'contacts', fields })).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ option: 'directory.fields.phone.normalize' }),
      }),
    )
  })

  it('checks from a start key, and takes a record that is none of an item', async () => {
    const { clock, client } = await patternEngine([new CreateTableCommand(directoryTable(definition))])
    await clock.run(async () => {
      const contacts = directory(client, definition, { clock, random: new SeededRandom(1) })
      await contacts.tenant('acme').create({ name: 'Ann' }, { id: 'a' })
      const { signal } = new AbortController()
      expect((await contacts.check({ startKey: key, signal })).startKey).toBeUndefined()
      expect(await contacts.onStreamRecord({})).toBe(false)
    })
  })
})
