import { DescribeTableCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { directory, directoryTable } from 'isotherm/search'
import { contactDirectory } from './contact-directory.js'
import { CATEGORIES, categories, contactRows } from './contact-rows.js'
import { MeasuredEngine, type Taken } from './measured-engine.js'

/** What writes of one contact take, on average. */
export interface WriteCosts {
  readonly search: 'prefix' | 'substring'
  /** Search items of a contact. */
  readonly searchItems: number
  /** What is stored for a contact, in the table and in the index. */
  readonly tableBytes: number
  readonly indexBytes: number
  readonly imported: Taken
  readonly created: Taken
  /** One with another name, and one with another phone number. */
  readonly renamed: Taken
  readonly rephoned: Taken
  readonly deleted: Taken
}

const TIMES = 1_000

/** Measures writes in a directory of their own. */
export async function measureWrites(search: 'prefix' | 'substring'): Promise<WriteCosts> {
  const engine = new MeasuredEngine()
  const { clock, client } = engine
  const definition = contactDirectory(search)
  const rows = [...contactRows(2 * TIMES)]
  const each = (taken: Taken): Taken => ({
    requests: taken.requests / TIMES,
    inSequence: taken.inSequence / TIMES,
    readUnits: taken.readUnits / TIMES,
    writeUnits: taken.writeUnits / TIMES,
    milliseconds: taken.milliseconds / TIMES,
  })
  let costs: WriteCosts | undefined
  await clock.run(async () => {
    await engine.create(directoryTable(definition))
    const contacts = directory(client, definition, { clock, random: new SeededRandom(1) })
    const acme = contacts.tenant('acme')
    for (const { id, name } of categories()) await acme.setTarget('category', id, name)
    const imported = await engine.measure(() => acme.import(rows.slice(0, TIMES)))
    const { scanned } = await contacts.check()
    const { Table } = await client.send(new DescribeTableCommand({ TableName: definition.table }))
    const others = rows.slice(TIMES)
    const created = await engine.measure(async () => {
      for (const { id, fields } of others) await acme.create(fields, { id })
    })
    const renamed = await engine.measure(async () => {
      for (const [at, { id }] of others.entries())
        await acme.update(id, { name: rows[at]?.fields.name ?? 'Ann' })
    })
    const rephoned = await engine.measure(async () => {
      for (const [at, { id }] of others.entries()) await acme.update(id, { phone: `090-${1_000_000 + at}` })
    })
    const deleted = await engine.measure(async () => {
      for (const { id } of others) await acme.delete(id)
    })
    costs = {
      search,
      tableBytes: (Table?.TableSizeBytes ?? 0) / TIMES,
      indexBytes: (Table?.GlobalSecondaryIndexes?.[0]?.IndexSizeBytes ?? 0) / TIMES,
      searchItems: (scanned - TIMES - CATEGORIES) / TIMES,
      imported: each(imported),
      created: each(created),
      renamed: each(renamed),
      rephoned: each(rephoned),
      deleted: each(deleted),
    }
  })
  await engine.close()
  if (costs === undefined) throw new Error('The writes were not measured.')
  return costs
}
