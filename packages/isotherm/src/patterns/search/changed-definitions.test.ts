import { CreateTableCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { dynamicShards, ensureShardMap, isotherm } from '../../index.js'
import { defineDirectory, directory, directoryTable } from './index.js'

const name = { required: true, search: 'substring' } as const
const older = defineDirectory({ table: 'contacts', fields: { name }, links: { category: {} } })
const newer = defineDirectory({
  table: 'contacts',
  fields: { name, email: { search: 'substring' } },
  links: { category: {}, team: {} },
})

describe('a process with an older definition', () => {
  it.each(['plain', 'sharded'])(
    'keeps what it does not know when it changes an item: a %s index',
    async (kind) => {
      const indexPartitionKey = kind === 'sharded' ? 'isotherm_search' : 'SearchType'
      const created = new CreateTableCommand(directoryTable(newer, { indexPartitionKey }))
      const { clock, client } = await patternEngine([created], { throttle: false })
      await clock.run(async () => {
        if (kind === 'sharded') await ensureShardMap(client, { table: 'contacts', clock })
        const search = { partitionKey: 'SearchType', sortKey: 'SearchValue', shards: dynamicShards() }
        const sharded = isotherm(client, {
          clock,
          random: new SeededRandom(1),
          tables: { contacts: { partitionKey: 'ID', sortKey: 'DataType', indexes: { search } } },
        })
        const db = kind === 'sharded' ? sharded : client
        const settings = (seed: number) => ({ clock, random: new SeededRandom(seed) })
        const now = directory(db, newer, settings(2)).tenant('acme')
        const before = directory(db, older, settings(3)).tenant('acme')
        await now.setTarget('team', 't', 'Sales')
        await now.setTarget('category', 'c', 'Key accounts')
        await now.create({ name: 'Anna Bell', email: 'anna@example.com' }, { id: 'a' })
        await now.link('a', 'team', 't')
        await client.send(
          new UpdateItemCommand({
            TableName: 'contacts',
            Key: { ID: { S: 'acme#a' }, DataType: { S: 'item' } },
            UpdateExpression: 'SET Seen = :by',
            ExpressionAttributeValues: { ':by': { S: 'another application' } },
          }),
        )
        await before.update('a', { name: 'Berta Bell' })
        await before.link('a', 'category', 'c')
        await before.import([{ id: 'a', fields: { name: 'Clara Bell' } }])
        const item = { name: 'Clara Bell', email: 'anna@example.com' }
        expect(await now.get('a')).toMatchObject({ ...item, links: { team: [{ id: 't', name: 'Sales' }] } })
        expect(await before.get('a')).not.toHaveProperty('email')
        await clock.sleep(5_000)
        const { hits } = await now.search('example', { match: 'substring' })
        expect(hits.map((hit) => hit.item.name)).toEqual(['Clara Bell'])
        // Search items that both fields have were those of the older definition.
        await directory(db, newer, settings(4)).check({ repair: true })
        expect(await directory(db, newer, settings(5)).check()).toMatchObject({ missing: 0, extra: 0 })
        await now.update('a', { email: null })
        expect(await now.get('a')).not.toHaveProperty('email')
      })
    },
  )
})
