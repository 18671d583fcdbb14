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
    [{ created: 'x' }, /created/],
    [{ links: '' }, /directory\.names\.links/],
  ])('are each the name of one attribute: %j', (own, message) => {
    const define = () => defineDirectory({ table: 'people', names: own as object, fields: { name: {} } })
    expect(define).toThrow(message)
  })
})
