import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { defineDirectory, directory, directoryTable } from './index.js'

const definition = defineDirectory({
  table: 'notes',
  fields: { text: { required: true, search: 'substring' } },
})

/** A text with about 200 search items: a change takes several transactions. */
const longText = (seed: number) => {
  const random = new SeededRandom(seed)
  return Array.from({ length: 200 }, () => Math.floor(random.next() * 36).toString(36)).join('')
}

async function engineWith() {
  const engine = await patternEngine([new CreateTableCommand(directoryTable(definition))], {
    throttle: false,
  })
  const { clock, client } = engine
  const open = (seed: number, db: DynamoDBClient = client) =>
    directory(db, definition, { clock, random: new SeededRandom(seed) })
  return { ...engine, open }
}

/** A client that does something else first, once, when it is about to send the last transaction of a large change: that with the item. */
function interrupted(client: DynamoDBClient, meanwhile: () => Promise<unknown>): DynamoDBClient {
  let isDone = false
  client.middlewareStack.add(
    (next) => async (args) => {
      const { TransactItems = [] } = args.input as {
        readonly TransactItems?: readonly {
          readonly Put?: { readonly Item?: { readonly DataType?: { readonly S?: string } } }
        }[]
      }
      if (!isDone && TransactItems.some(({ Put }) => Put?.Item?.DataType?.S === 'item')) {
        isDone = true
        await meanwhile()
      }
      return next(args)
    },
    { step: 'initialize' },
  )
  return client
}

const CLEAN = { missing: 0, extra: 0, outdated: 0 }

describe('a change of more than 100 search items', () => {
  it.each(['create', 'update'] as const)(
    'has all of them although a repair ran in the middle of a %s',
    async (kind) => {
      const { clock, network, open } = await engineWith()
      await clock.run(async () => {
        const repair = () => open(3).check({ repair: true })
        const acme = open(1, interrupted(network(2, 0), repair)).tenant('acme')
        if (kind === 'create') await acme.create({ text: longText(1) }, { id: 'a' })
        else {
          await open(4).tenant('acme').create({ text: 'short' }, { id: 'a' })
          await acme.update('a', { text: longText(1) })
        }
        expect(await open(5).check()).toMatchObject({ compared: 1, ...CLEAN })
      })
    },
  )

  it('leaves nothing of itself behind when another change is faster', async () => {
    const { clock, network, open } = await engineWith()
    await clock.run(async () => {
      const other = open(3).tenant('acme')
      const { version } = await other.create({ text: longText(1) }, { id: 'a' })
      const faster = () => other.update('a', { text: longText(2) })
      const acme = open(1, interrupted(network(2, 0), faster)).tenant('acme')
      const changed = acme.update('a', { text: `${longText(2).slice(0, 150)}${longText(3)}` }, { version })
      await expect(changed).rejects.toMatchObject({ code: 'search.changed' })
      expect(await open(5).check()).toMatchObject({ compared: 1, ...CLEAN })
    })
  })

  it('is complete when another change wrote its search items in between and lost', async () => {
    const { clock, network, open } = await engineWith()
    await clock.run(async () => {
      const { version } = await open(3)
        .tenant('acme')
        .create({ text: longText(1) }, { id: 'a' })
      const first = new Error('The process has ended.')
      const ending = interrupted(network(4, 0), () => Promise.reject(first))
      const loser = open(6, ending).tenant('acme')
      const between = () =>
        loser.update('a', { text: `${longText(2).slice(50)}x` }, { version }).catch(() => {})
      const acme = open(1, interrupted(network(2, 0), between)).tenant('acme')
      await acme.update('a', { text: longText(2) })
      const { missing } = await open(5).check()
      expect(missing).toBe(0)
    })
  })
})
