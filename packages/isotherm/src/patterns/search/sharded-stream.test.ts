import { CreateTableCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { fixedShards, isotherm, logicalRecord } from '../../index.js'
import { defineDirectory, directory, directoryTable } from './index.js'

const definition = defineDirectory({
  table: 'contacts',
  fields: { name: { required: true } },
  mode: 'stream',
})
const contacts = {
  partitionKey: 'ID',
  sortKey: 'DataType',
  suffix: 'calculated',
  shards: fixedShards(4),
} as const

it('records of a sharded table are those of the directory once they have logical keys', async () => {
  const { clock, client } = await patternEngine([new CreateTableCommand(directoryTable(definition))], {
    throttle: false,
  })
  await clock.run(async () => {
    const db = isotherm(client, { clock, random: new SeededRandom(1), tables: { contacts } })
    const book = directory(db, definition, { clock, random: new SeededRandom(2) })
    const acme = book.tenant('acme')
    for (let at = 0; at < 8; at++) await acme.create({ name: `Person ${at}` }, { id: `p${at}` })
    const { Items = [] } = await client.send(new ScanCommand({ TableName: 'contacts' }))
    for (const { ID, DataType, ...rest } of Items) {
      const Keys = { ID, DataType } as Record<string, NonNullable<typeof ID>>
      const record = { eventName: 'INSERT' as const, dynamodb: { Keys, NewImage: { ...Keys, ...rest } } }
      expect(await book.onStreamRecord(logicalRecord(record, contacts))).toBe(true)
    }
    expect(await book.check()).toMatchObject({ compared: 8, missing: 0, extra: 0 })
    expect((await acme.search('person')).hits).toHaveLength(8)
  })
})
