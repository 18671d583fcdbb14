import { CreateTableCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { type DirectoryDefinition, defineDirectory, directory, directoryTable, plainText } from './index.js'

const definition = defineDirectory({
  table: 'contacts',
  fields: { name: { required: true, search: 'substring' } },
})

function engineOf(own: DirectoryDefinition) {
  return patternEngine([new CreateTableCommand(directoryTable(own))], { throttle: false })
}

describe('a query', () => {
  it('takes whatever a user types', async () => {
    const { clock, client } = await engineOf(definition)
    await clock.run(async () => {
      const contacts = directory(client, definition, { clock, random: new SeededRandom(1) })
      const acme = contacts.tenant('acme')
      const people = [
        'John Smith 😀',
        'ﾔﾏﾀﾞ ﾊﾅｺ',
        "Zoë O'Neil-Łukasz",
        '👨‍👩‍👧‍👦 family',
        '第3営業所',
        'ΟΔΟΣΤΡΩΜΑ ΑΕ',
      ]
      for (const [at, name] of people.entries()) await acme.create({ name }, { id: `p${at}`, createdAt: at })
      await clock.sleep(5_000)
      const find = async (text: string, match: 'prefix' | 'substring') =>
        (await acme.search(text, { match })).hits.map(({ item }) => item.id).join()
      const expected: readonly (readonly [text: string, prefix: string, substring: string])[] = [
        ['', '', ''],
        [' \t\n', '', ''],
        ['j', 'p0', 'p0'],
        ['H', '', 'p0'],
        ['hn', '', 'p0'],
        ['n s', '', 'p0'],
        ['john s', 'p0', 'p0'],
        ['th 😀', '', 'p0'],
        ['😀', '', 'p0'],
        ['👨', 'p3', 'p3'],
        ['👧', '', 'p3'],
        ['や', 'p1', 'p1'],
        ['ヤマタ', '', ''],
        ['ﾔﾏﾀﾞ', 'p1', 'p1'],
        ['ハナ', '', 'p1'],
        ['だ は', '', 'p1'],
        ['3営', '', 'p4'],
        ['第３営', 'p4', 'p4'],
        ['zoe o', 'p2', 'p2'],
        ['neil-l', '', 'p2'],
        ['ΟΔΟ', 'p5', 'p5'],
        ['ΟΔΟΣ', 'p5', 'p5'],
        ['οδός', 'p5', 'p5'],
        ['ΔΟΣ', '', 'p5'],
        ['#', '', ''],
        ['~', '', ''],
        ['\u0000', '', ''],
        ['\ud83d', '', ''],
      ]
      for (const [text, prefix, substring] of expected) {
        const found = [text, await find(text, 'prefix'), await find(text, 'substring')]
        expect(found).toEqual([text, prefix, substring])
      }
      const nobody = contacts.tenant('nobody')
      expect(await nobody.search('john')).toEqual({ hits: [], more: false, cursor: undefined })
      expect(await nobody.list()).toEqual({ items: [], more: false, cursor: undefined })
      expect(await nobody.delete('p0')).toBe(false)
    })
  })

  it('finds a name that is stored with a space and typed without one, by a normalizer that drops it', async () => {
    const normalize = (text: string) => plainText(text).replaceAll(' ', '')
    const own = defineDirectory({
      table: 'people',
      fields: { name: { required: true, search: 'substring', normalize } },
    })
    const { clock, client } = await engineOf(own)
    await clock.run(async () => {
      const people = directory(client, own, { clock, random: new SeededRandom(1) }).tenant('acme')
      await people.create({ name: '山田 太郎' })
      await clock.sleep(5_000)
      for (const text of ['山田太郎', '山田　太', '田太']) {
        const { hits } = await people.search(text, { match: 'substring' })
        expect([text, hits.length, Object.keys(hits[0]?.highlights ?? {})]).toEqual([text, 1, ['name']])
      }
    })
  })

  it('reads few items more than a page shows', async () => {
    const { clock, client, network } = await engineOf(definition)
    await clock.run(async () => {
      const acme = directory(client, definition, { clock, random: new SeededRandom(1) }).tenant('acme')
      for (let at = 0; at < 60; at++) await acme.create({ name: `Anna Annason ${at}` })
      await clock.sleep(5_000)
      let read = 0
      const counted = network(5, 0)
      counted.middlewareStack.add(
        (next) => async (args) => {
          const { RequestItems } = args.input as { RequestItems?: { contacts?: { Keys?: unknown[] } } }
          read += RequestItems?.contacts?.Keys?.length ?? 0
          return next(args)
        },
        { step: 'initialize' },
      )
      const few = directory(counted, definition, { clock, random: new SeededRandom(5) }).tenant('acme')
      for (const match of ['prefix', 'substring'] as const) {
        read = 0
        expect((await few.search('anna', { match, limit: 10 })).hits).toHaveLength(10)
        expect(read).toBeLessThan(20)
      }
    })
  })
})
