import { CreateTableCommand, DeleteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { fixedShards, isotherm } from '../../index.js'
import { type CheckProgress, defineDirectory, directory, directoryTable, stored } from './index.js'

const definition = defineDirectory({
  table: 'contacts',
  fields: { name: { required: true, search: 'substring' }, photo: stored<Uint8Array>() },
})

it('a check of a sharded table counts each item once, and resumes', async () => {
  const { clock, client } = await patternEngine([new CreateTableCommand(directoryTable(definition))], {
    throttle: false,
  })
  await clock.run(async () => {
    const db = isotherm(client, {
      clock,
      random: new SeededRandom(1),
      tables: {
        contacts: { partitionKey: 'ID', sortKey: 'DataType', suffix: 'calculated', shards: fixedShards(4) },
      },
    })
    const contacts = directory(db, definition, { clock, random: new SeededRandom(2) })
    const acme = contacts.tenant('acme')
    const photo = new Uint8Array(300_000)
    for (let at = 0; at < 12; at++) await acme.create({ name: `Person ${at}`, photo }, { id: `p${at}` })
    const clean = { compared: 12, missing: 0, extra: 0, outdated: 0 }
    expect(await contacts.check()).toMatchObject(clean)
    const { Items = [] } = await client.send(new ScanCommand({ TableName: 'contacts' }))
    const gram = Items.find(({ DataType }) => DataType?.S === '~per')
    await client.send(
      new DeleteItemCommand({
        TableName: 'contacts',
        Key: { ID: gram?.ID as never, DataType: { S: '~per' } },
      }),
    )
    expect(await contacts.check()).toMatchObject({ ...clean, missing: 1 })
    const seen: CheckProgress[] = []
    const stop = new AbortController()
    const begun = await contacts.check({
      signal: stop.signal,
      onProgress: (progress) => {
        seen.push(progress)
        stop.abort()
      },
    })
    expect(begun.startKey).toBeDefined()
    const rest = await contacts.check({ startKey: begun.startKey })
    expect(begun.compared + rest.compared).toBe(12)
    // The other parts of the item are in shards behind the place where the check was stopped.
    expect(Math.max(begun.missing, rest.missing)).toBe(1)
  })
})
