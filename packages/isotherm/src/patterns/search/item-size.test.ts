import { CreateTableCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { itemBytes, MAX_ITEM_BYTES } from '@isotherm/semantics'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { defineDirectory, directory, directoryTable, stored } from './index.js'

const options = {
  table: 'contacts',
  fields: { name: { required: true, search: 'substring' }, blob: stored<string | bigint>() },
  links: { category: {} },
} as const
const definition = defineDirectory(options)
/** An item is larger while it is imported than afterwards. */
const short = defineDirectory({ ...options, names: { searchType: 's', searchValue: 'v' } })
const streamed = defineDirectory({ ...options, mode: 'stream' })

/** Its search items take several transactions. */
const LONG_NAME = Array.from({ length: 125 }, (_, at) => at.toString(36).padStart(2, '0')).join('')
const TOO_LARGE = 'y'.repeat(500_000)
type Stored = Parameters<typeof itemBytes>[0]
const REFUSAL = { code: 'pattern.value' }

async function engineWith(own = definition) {
  const engine = await patternEngine([new CreateTableCommand(directoryTable(own))], { throttle: false })
  const { clock, client } = engine
  const acme = directory(client, own, { clock, random: new SeededRandom(1) }).tenant('acme')
  const all = async () => (await client.send(new ScanCommand({ TableName: 'contacts' }))).Items ?? []
  return { clock, acme, all }
}

describe('an item that DynamoDB does not store', () => {
  it.each([
    ['too large', TOO_LARGE, 'directory: the item big of acme'],
    ['with a number of 41 digits', 10n ** 40n + 1n, 'directory.create.blob'],
  ])('is refused before any of its search items is written: %s', async (_what, blob, place) => {
    const { clock, acme, all } = await engineWith()
    await clock.run(async () => {
      const created = acme.create({ name: LONG_NAME, blob }, { id: 'big' })
      await expect(created).rejects.toMatchObject({ ...REFUSAL, details: { place } })
      expect(await all()).toEqual([])
      await acme.create({ name: 'Ann' }, { id: 'big' })
      const before = await all()
      await expect(acme.update('big', { name: LONG_NAME, blob })).rejects.toMatchObject(REFUSAL)
      expect(await all()).toEqual(before)
    })
  })

  it('stops an import before its batch is written, as a new item and as a change of one', async () => {
    const { clock, acme, all } = await engineWith()
    await clock.run(async () => {
      const row = (id: string, blob: string | bigint = 'small') => ({
        id,
        fields: { name: `Name ${id}`, blob },
      })
      for (const blob of [TOO_LARGE, 10n ** 40n + 1n]) {
        await expect(acme.import([row('a'), row('b', blob), row('c')])).rejects.toMatchObject(REFUSAL)
        expect(await all()).toEqual([])
      }
      await acme.import([row('b')])
      const before = await all()
      await expect(acme.import([row('a'), row('b', TOO_LARGE)])).rejects.toMatchObject(REFUSAL)
      expect(await all()).toEqual(before)
    })
  })

  it.each([
    ['as it is listed', definition, (item: Stored) => item],
    [
      'as it is while it is imported',
      short,
      ({ s: _type, v: _value, ...item }: Stored) => ({ ...item, Importing: { S: 'i'.repeat(32) } }),
    ],
  ])('is one byte larger than the largest that an import takes, %s', async (_when, own, largestOf) => {
    const { clock, acme, all } = await engineWith(own)
    await clock.run(async () => {
      const row = (id: string, blob: string) => ({ id, fields: { name: 'Ann', blob } })
      await acme.import([row('a', 'y')])
      const [item = {}] = (await all()).filter(({ DataType }) => DataType?.S === 'item')
      const room = MAX_ITEM_BYTES - itemBytes(largestOf(item as Stored))
      const before = await all()
      await expect(acme.import([row('b', 'y'.repeat(room + 2))])).rejects.toMatchObject(REFUSAL)
      expect(await all()).toEqual(before)
      expect(await acme.import([row('b', 'y'.repeat(room + 1))])).toMatchObject({ created: 1 })
    })
  })

  it.each([
    ['transaction', definition],
    ['stream', streamed],
  ])('is one byte larger than the largest: %s', async (_mode, own) => {
    const { clock, acme, all } = await engineWith(own)
    await clock.run(async () => {
      await acme.create({ name: 'Ann', blob: 'y' }, { id: 'a' })
      const [item = {}] = (await all()).filter(({ DataType }) => DataType?.S === 'item')
      const room = MAX_ITEM_BYTES - itemBytes(item as Stored)
      await expect(acme.update('a', { blob: 'y'.repeat(room + 2) })).rejects.toMatchObject(REFUSAL)
      await acme.update('a', { blob: 'y'.repeat(room + 1) })
      await acme.setTarget('category', 'vip', 'Key accounts')
      const linked = acme.link('a', 'category', 'vip')
      await expect(linked).rejects.toThrow(/the item a of acme is of \d+ bytes/)
    })
  })
})
