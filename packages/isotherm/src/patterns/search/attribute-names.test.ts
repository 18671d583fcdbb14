import { CreateTableCommand, DeleteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { defineDirectory, directory, directoryTable } from './index.js'

const names = {
  id: 'pk',
  dataType: 'sk',
  searchType: 'gsi1pk',
  searchValue: 'gsi1sk',
  createdAt: 'created',
  version: 'revision',
  links: 'groups',
}
const definition = defineDirectory({
  table: 'people',
  index: 'gsi1',
  names,
  fields: { name: { required: true, search: 'substring' } },
  links: { group: {} },
})

describe('names of attributes', () => {
  it('are those of the definition, in the table, in the index and in all operations', async () => {
    const { clock, client } = await patternEngine([new CreateTableCommand(directoryTable(definition))], {
      throttle: false,
    })
    await clock.run(async () => {
      const people = directory(client, definition, { clock, random: new SeededRandom(1) })
      const acme = people.tenant('acme')
      await acme.setTarget('group', 'g1', 'Friends')
      await acme.create({ name: 'Anna Bell' }, { id: 'a', createdAt: 1 })
      await acme.import([{ id: 'b', createdAt: 2, fields: { name: 'Berta Bell' }, links: { group: ['g1'] } }])
      await acme.update('a', { name: 'Anne Bell' })
      await clock.sleep(5_000)
      const found = async (text: string, match: 'prefix' | 'substring') =>
        (await acme.search(text, { match, limit: 1 })).hits.map(({ item }) => item.id)
      expect([await found('anne', 'prefix'), await found('friends', 'prefix')]).toEqual([['a'], ['b']])
      expect([await found('bell', 'substring'), await found('rta', 'substring')]).toEqual([['b'], ['b']])
      const page = await acme.list({ limit: 1 })
      const next = await acme.list({ limit: 1, cursor: page.cursor })
      expect([...page.items, ...next.items].map(({ id, createdAt }) => [id, createdAt])).toEqual([
        ['b', 2],
        ['a', 1],
      ])
      expect((await acme.list({ linkedTo: { group: 'g1' } })).items.map(({ id }) => id)).toEqual(['b'])
      const { Items = [] } = await client.send(new ScanCommand({ TableName: 'people' }))
      const used = new Set(Items.flatMap((item) => Object.keys(item)))
      expect([...used].sort()).toEqual([...Object.values(names), 'name'].sort())

      expect(await people.check()).toMatchObject({ compared: 2, missing: 0, extra: 0, outdated: 0 })
      const Key = { pk: { S: 'acme#a' }, sk: { S: '^an' } }
      await client.send(new DeleteItemCommand({ TableName: 'people', Key }))
      expect(await people.check({ repair: true })).toMatchObject({ missing: 1, repaired: 1 })
      expect(await people.check()).toMatchObject({ missing: 0, extra: 0, outdated: 0 })
      expect(await acme.delete('b')).toBe(true)
      await clock.sleep(5_000)
      expect(await found('bell', 'substring')).toEqual(['a'])
    })
  })

  it.each([
    [{ id: 'x', dataType: 'x' }, /directory\.names/],
    [{ version: 'Importing' }, /Importing/],
    [{ id: 'name' }, /"name"/],
    [{ searchValue: 'name' }, /"name"/],
    [{ version: 'gone' }, /"gone"/],
    [{ created: 'x' }, /created/],
    [{ links: '' }, /directory\.names\.links/],
  ])('are each the name of one attribute: %j', (own, message) => {
    const define = () => defineDirectory({ table: 'people', names: own as object, fields: { label: {} } })
    expect(define).toThrow(message)
  })
})

describe('names of fields', () => {
  it.each(['id', 'links', 'SearchType', 'Importing', '__proto__', 'a b', ''])(
    'are not those of something else: %j',
    (name) => {
      const define = () => defineDirectory({ table: 'people', fields: { [name]: {} } })
      expect(define).toThrow('directory.fields')
    },
  )

  it('may be those of members that all objects have, and so may ids of targets', async () => {
    const own = defineDirectory({
      table: 'cars',
      fields: { name: { required: true }, constructor: {}, toString: { required: true } },
      links: { valueOf: {} },
    })
    const { clock, client } = await patternEngine([new CreateTableCommand(directoryTable(own))], {
      throttle: false,
    })
    // TypeScript compares values that are left out with the members of all objects.
    const values = (given: object) => given as never
    await clock.run(async () => {
      const cars = directory(client, own, { clock, random: new SeededRandom(1) }).tenant('acme')
      const refused = cars.create(values({ name: 'B' }))
      await expect(refused).rejects.toThrow('directory.create.toString')
      const { version } = await cars.create(values({ name: 'A', toString: 'text' }), { id: 'a' })
      const plain = await cars.get('a')
      expect([Object.keys(plain ?? {}).includes('constructor'), plain?.toString]).toEqual([false, 'text'])
      expect((await cars.update('a', values({ constructor: 'Ferrari' }))).constructor).toBe('Ferrari')
      expect((await cars.update('a', values({ constructor: null }))).version).not.toBe(version)
      expect(Object.keys((await cars.get('a')) ?? {})).not.toContain('constructor')
      const before = (await cars.get('a'))?.version
      expect((await cars.unlink('a', 'valueOf', 'constructor')).version).toBe(before)
      await cars.setTarget('valueOf', 'constructor', 'Maker')
      expect((await cars.link('a', 'valueOf', 'constructor')).links.valueOf).toEqual([
        { id: 'constructor', name: 'Maker' },
      ])
    })
  })
})
