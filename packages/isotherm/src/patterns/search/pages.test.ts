import {
  type BatchGetItemCommandInput,
  type BatchGetItemCommandOutput,
  CreateTableCommand,
  type DynamoDBClient,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { type Clock, SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { defineDirectory, directory, directoryTable } from './index.js'

const definition = defineDirectory({
  table: 'contacts',
  fields: { name: { required: true, search: 'substring' } },
})

async function engineWith(names: readonly string[]) {
  const engine = await patternEngine([new CreateTableCommand(directoryTable(definition))], {
    throttle: false,
  })
  const { clock, client } = engine
  const tenant = (db: DynamoDBClient) =>
    directory(db, definition, { clock, random: new SeededRandom(1) }).tenant('acme')
  const rows = names.map((name, at) => ({ id: `p${at}`, createdAt: at, fields: { name } }))
  await clock.run(async () => {
    await tenant(client).import(rows)
    await clock.sleep(5_000)
  })
  return { ...engine, tenant }
}

/** Processes this many keys of each BatchGetItem request, as a table does whose partitions are busy, and records when requests came. */
function processFew(client: DynamoDBClient, most: number, clock: Clock) {
  const requests: { readonly at: number; readonly keys: number }[] = []
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'BatchGetItemCommand') return next(args)
        const { RequestItems } = args.input as BatchGetItemCommandInput
        const { Keys = [], ...rest } = RequestItems?.contacts ?? {}
        requests.push({ at: clock.now(), keys: Keys.length })
        const input = { ...args.input, RequestItems: { contacts: { ...rest, Keys: Keys.slice(0, most) } } }
        const result = await next({ ...args, input })
        const left = Keys.slice(most)
        const output = result.output as BatchGetItemCommandOutput
        if (left.length > 0) output.UnprocessedKeys = { contacts: { ...rest, Keys: left } }
        return result
      },
    { step: 'initialize' },
  )
  return requests
}

/** Adds what the index has now to what it answers from then on, as an index does that has not heard of a deletion yet. */
function rememberEntries(client: DynamoDBClient) {
  const earlier = new Map<string, NonNullable<QueryCommandOutput['Items']>>()
  let isLate = false
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args)
        if (commandName !== 'QueryCommand') return result
        const key = JSON.stringify(args.input)
        const output = result.output as QueryCommandOutput
        if (isLate) output.Items = [...(output.Items ?? []), ...(earlier.get(key) ?? [])]
        else earlier.set(key, output.Items ?? [])
        return result
      },
    { step: 'initialize' },
  )
  return () => {
    isLate = true
  }
}

describe('a page', () => {
  it.each([
    ['list', {}],
    ['prefix', { match: 'prefix' }],
    ['substring', { match: 'substring' }],
  ] as const)(
    'has an item once that was deleted and created again while the index has both: %s',
    async (_what, options) => {
      const { clock, network, tenant } = await engineWith(['Anna'])
      const late = network(5, 0)
      const turnLate = rememberEntries(late)
      await clock.run(async () => {
        const acme = tenant(late)
        const shown = async () =>
          'match' in options
            ? (await acme.search('anna', options)).hits.map(({ item }) => item.id)
            : (await acme.list()).items.map(({ id }) => id)
        expect(await shown()).toEqual(['p0'])
        await acme.delete('p0')
        await acme.create({ name: 'Anna' }, { id: 'p0' })
        await clock.sleep(5_000)
        turnLate()
        expect(await shown()).toEqual(['p0'])
      })
    },
  )

  it.each(['list', 'prefix', 'substring'] as const)(
    'has an item once that was renamed while the index has both entries: %s',
    async (match) => {
      const { clock, network, tenant } = await engineWith(['Anna', 'Anna Bell'])
      const late = network(5, 0)
      const turnLate = rememberEntries(late)
      await clock.run(async () => {
        const acme = tenant(late)
        const shown = async () =>
          match === 'list'
            ? (await acme.list()).items.map(({ id }) => id)
            : (await acme.search('anna', { match })).hits.map(({ item }) => item.id)
        expect(await shown()).toEqual(['p1', 'p0'])
        await acme.update('p0', { name: 'Anna Smith' })
        await clock.sleep(5_000)
        turnLate()
        expect(await shown()).toEqual(['p1', 'p0'])
      })
    },
  )

  it.each([
    ['list', {}],
    ['prefix', { match: 'prefix' }],
    ['substring', { match: 'substring' }],
  ] as const)(
    'is complete though keys of its batch are not processed at once: %s',
    async (_what, options) => {
      const names = Array.from({ length: 130 }, (_, at) => `Anna ${at}`)
      const { clock, network, tenant } = await engineWith(names)
      const slow = network(5, 0)
      const requests = processFew(slow, 30, clock)
      await clock.run(async () => {
        const acme = tenant(slow)
        const ids =
          'match' in options
            ? (await acme.search('anna', options)).hits.map(({ item }) => item.id)
            : (await acme.list()).items.map(({ id }) => id)
        expect(ids).toEqual(Array.from({ length: 100 }, (_, at) => `p${129 - at}`))
      })
      expect(requests.slice(0, 4).map(({ keys }) => keys)).toEqual([100, 70, 40, 10])
      const pauses = requests.slice(1, 4).map(({ at }, index) => at - (requests[index]?.at ?? 0))
      // The network takes up to 10 ms. Back-off comes on top, up to twice as much each time.
      expect(pauses.reduce((sum, pause) => sum + pause)).toBeGreaterThan(30)
    },
  )

  it('throws the throttling error of a key that is never processed, instead of leaving its item out', async () => {
    const { clock, network, tenant } = await engineWith(['Anna', 'Berta'])
    const refusing = network(5, 0)
    processFew(refusing, 1, clock)
    refusing.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const Keys = (args.input as BatchGetItemCommandInput).RequestItems?.contacts?.Keys ?? []
          const isLast = commandName === 'BatchGetItemCommand' && Keys.length === 1
          if (isLast)
            return {
              response: {},
              output: { $metadata: {}, UnprocessedKeys: { contacts: { Keys } } },
            } as never
          if (commandName === 'GetItemCommand')
            throw Object.assign(new Error('Throttled.'), { name: 'ThrottlingException' })
          return next(args)
        },
      { step: 'initialize' },
    )
    await clock.run(async () => {
      await expect(tenant(refusing).list()).rejects.toMatchObject({ name: 'ThrottlingException' })
    })
  })

  it('is short, says that there is more, and its cursor continues, if its steps end before it is full', async () => {
    // Each part of the text is in all names, with the same characters around it. Only a comparison with the item shows that it is no match.
    const [text, near] = ['ab'.repeat(20), 'ab'.repeat(12)]
    const names = [text, ...Array.from({ length: 150 }, () => near), `${text}a`]
    const { clock, client, tenant } = await engineWith(names)
    await clock.run(async () => {
      const acme = tenant(client)
      const options = { match: 'substring', limit: 10 } as const
      const first = await acme.search(text, options)
      expect(first.hits.map(({ item }) => item.id)).toEqual(['p151'])
      expect(first).toMatchObject({ more: true, cursor: expect.any(String) })
      const ids: string[] = []
      let pages = 0
      let page = first
      while (page.cursor !== undefined && pages < 20) {
        page = await acme.search(text, { ...options, cursor: page.cursor })
        ids.push(...page.hits.map(({ item }) => item.id))
        pages += 1
      }
      expect(ids).toEqual(['p0'])
      expect(page).toMatchObject({ more: false, cursor: undefined })
    })
  })
})
