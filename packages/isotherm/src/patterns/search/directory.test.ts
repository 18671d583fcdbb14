import { CreateTableCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { queue, queueTable } from '../queue/index.js'
import {
  companyName,
  type DirectoryWork,
  defineDirectory,
  directory,
  directoryTable,
  phoneNumber,
  stored,
} from './index.js'

const definition = defineDirectory({
  table: 'contacts',
  fields: {
    name: { required: true, search: 'substring' },
    company: { search: 'substring', normalize: companyName },
    phone: { search: 'substring', normalize: phoneNumber({ country: '81' }) },
    age: stored<number>(),
  },
  links: { category: { search: 'substring' } },
})
const JOBS = { table: 'jobs', partitionKey: 'id' }
const tables = [new CreateTableCommand(directoryTable(definition)), new CreateTableCommand(queueTable(JOBS))]

async function engineWith(lostReplies = 0) {
  const engine = await patternEngine(tables, { throttle: false })
  const { clock } = engine
  const open = (seed: number) => {
    const db = engine.network(seed, lostReplies)
    const random = new SeededRandom(seed)
    const jobs = queue<DirectoryWork>(db, { ...JOBS, clock, random })
    return { db, contacts: directory(db, definition, { jobs, clock, random }), jobs }
  }
  /** Search items by item, as they are in the table. */
  const searchItems = async (id: string) => {
    const { Items = [] } = await engine.client.send(new ScanCommand({ TableName: 'contacts' }))
    return Items.filter((item) => item.ID?.S === id && item.DataType?.S !== 'item').map(
      (item) => item.DataType?.S ?? '',
    )
  }
  return { ...engine, open, searchItems, settle: () => clock.sleep(5_000) }
}

describe('a directory', () => {
  it('does not bring back what somebody deletes while a change without an answer is under way', async () => {
    const { clock, client, open } = await engineWith()
    await clock.run(async () => {
      const late = open(9).db
      let isFirst = true
      late.middlewareStack.add(
        (next, { commandName }) =>
          async (args) => {
            if (commandName !== 'TransactWriteItemsCommand' || !isFirst) return next(args)
            isFirst = false
            void clock.sleep(4_000).then(() => next(args).catch(() => {}))
            throw Object.assign(new Error('no answer'), { name: 'TimeoutError' })
          },
        { step: 'initialize', name: 'late' },
      )
      const slow = directory(late, definition, { clock, random: new SeededRandom(9) }).tenant('acme')
      const other = open(10).contacts.tenant('acme')
      const created = slow.create({ name: 'Ann' }, { id: 'a' })
      while ((await other.get('a')) === undefined) await clock.sleep(100)
      await other.delete('a')
      await created.catch(() => {})
      await clock.sleep(20_000)
      const { Items = [] } = await client.send(new ScanCommand({ TableName: 'contacts' }))
      expect(Items).toEqual([])
    })
  })

  it('finds items by the beginning and by any part of their texts, newest first', async () => {
    const { clock, open, settle } = await engineWith(0.02)
    await clock.run(async () => {
      const acme = open(1).contacts.tenant('acme')
      const people = [
        { name: '山田 太郎', company: '株式会社サンプル商事', phone: '03-1234-5678' },
        { name: '大山田 花子', company: 'サンプル (株)', phone: '+81 90-1111-2222', age: 41 },
        { name: 'Yamada Jirō', company: 'Acme Widgets Co., Ltd.' },
        { name: 'Ann Ｙａｍａｍｏｔｏ' },
      ]
      for (const [at, person] of people.entries()) await acme.create(person, { id: `p${at}` })
      await settle()
      const ids = async (text: string, options?: Parameters<typeof acme.search>[1]) =>
        (await acme.search(text, options)).hits.map(({ item }) => item.id)
      expect(await ids('山')).toEqual(['p0'])
      expect(await ids('山田')).toEqual(['p0'])
      expect(await ids('山田 太')).toEqual(['p0'])
      expect(await ids('YAMA')).toEqual(['p2'])
      expect(await ids('さんぷる')).toEqual(['p1', 'p0'])
      expect(await ids('ｻﾝﾌﾟﾙ株式会社')).toEqual(['p1', 'p0'])
      expect(await ids('090-11')).toEqual(['p1'])
      expect(await ids('jirō')).toEqual([])
      const substring = { match: 'substring' } as const
      expect(await ids('山田', substring)).toEqual(['p1', 'p0'])
      expect(await ids('田', substring)).toEqual(['p1', 'p0'])
      expect(await ids('yama', substring)).toEqual(['p3', 'p2'])
      expect(await ids('am', substring)).toEqual(['p3', 'p2'])
      expect(await ids('jiro', substring)).toEqual(['p2'])
      expect(await ids('widgets ltd', substring)).toEqual(['p2'])
      expect(await ids('345678', substring)).toEqual(['p0'])
      expect(await ids('山田', { ...substring, in: ['company'] })).toEqual([])
      expect(await ids('')).toEqual([])
      const { hits } = await acme.search('ヤマダ', substring)
      expect(hits).toEqual([])
      const [hit] = (await acme.search('山田', { ...substring, limit: 1 })).hits
      expect(hit).toEqual({
        item: {
          id: 'p1',
          createdAt: expect.any(Number),
          version: expect.any(String),
          name: '大山田 花子',
          company: 'サンプル (株)',
          phone: '+81 90-1111-2222',
          age: 41,
          links: { category: [] },
        },
        highlights: { name: [[1, 3]] },
      })
      const age: number | undefined = hit?.item.age
      const name: string | undefined = hit?.item.name
      expect([age, name]).toEqual([41, '大山田 花子'])
    })
  })

  it('lists a tenant page by page, and finds all matches page by page, each once', async () => {
    const { clock, open, settle } = await engineWith()
    await clock.run(async () => {
      const acme = open(1).contacts.tenant('acme')
      const expected: string[] = []
      for (let at = 0; at < 130; at++) {
        const name = at % 2 === 0 ? `Anna${at} Annason` : `Bob${at} Anna`
        // Many have the same time.
        const { id } = await acme.create({ name, company: name }, { createdAt: Math.floor(at / 40) })
        expected.push(id)
      }
      await settle()
      const pages = async (
        read: (cursor?: string) => Promise<{ ids: string[]; cursor: string | undefined }>,
      ) => {
        const all: string[] = []
        let cursor: string | undefined
        do {
          const page = await read(cursor)
          all.push(...page.ids)
          cursor = page.cursor
        } while (cursor !== undefined)
        return all
      }
      const listed = await pages(async (cursor) => {
        const page = await acme.list({ limit: 30, cursor })
        return { ids: page.items.map(({ id }) => id), cursor: page.cursor }
      })
      expect([...listed].sort()).toEqual([...expected].sort())
      const search = (text: string, match: 'prefix' | 'substring', limit: number) =>
        pages(async (cursor) => {
          const page = await acme.search(text, { match, limit, cursor })
          return { ids: page.hits.map(({ item }) => item.id), cursor: page.cursor }
        })
      expect(await search('anna', 'substring', 17)).toEqual(listed)
      expect(await search('an', 'substring', 100)).toEqual(listed)
      const annas = listed.filter((id) => expected.indexOf(id) % 2 === 0)
      expect(await search('ann', 'prefix', 7)).toEqual(annas)
      expect(await search('anna', 'prefix', 20)).toEqual(annas)
      expect(await search('anna1', 'prefix', 5)).toHaveLength(20)
    })
  })

  it('writes only search items that differ, and removes those of what is gone', async () => {
    const { clock, open, settle, searchItems } = await engineWith(0.05)
    await clock.run(async () => {
      const acme = open(1).contacts.tenant('acme')
      const long =
        'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua'
      const { id, version } = await acme.create({ name: long, company: long.split('').reverse().join('') })
      expect((await searchItems(`acme#${id}`)).length).toBeGreaterThan(120)
      await acme.update(id, { name: 'Lia', company: null, age: 7 })
      await settle()
      expect((await searchItems(`acme#${id}`)).sort()).toEqual(['=name', '^l', '^li', '^lia', '~lia'])
      await expect(acme.update(id, { age: 8 }, { version })).rejects.toMatchObject({ code: 'search.changed' })
      await expect(acme.create({ name: 'Other' }, { id })).rejects.toMatchObject({ code: 'search.exists' })
      expect(await acme.delete(id)).toBe(true)
      expect(await acme.delete(id)).toBe(false)
      expect(await searchItems(`acme#${id}`)).toEqual([])
      await expect(acme.update(id, { name: 'x' })).rejects.toMatchObject({ code: 'search.missing' })
    })
  })

  it('finds an item by its text between the transactions of a large change', async () => {
    const { clock, open, network, settle } = await engineWith()
    await clock.run(async () => {
      const acme = open(1).contacts.tenant('acme')
      const words = Array.from({ length: 24 }, (_, at) => `word${String.fromCharCode(97 + at)}x${at}`)
      const nameOn = (day: string) => [...words.slice(0, 12), day, ...words.slice(12)].join(' ')
      const { id } = await acme.create({ name: nameOn('monday'), company: words.join(' ') })
      await settle()
      const found: number[] = []
      const observed = network(5, 0)
      observed.middlewareStack.add(
        (next, { commandName }) =>
          async (args) => {
            const output = await next(args)
            if (commandName !== 'TransactWriteItemsCommand') return output
            await settle()
            const name = (await acme.get(id))?.name ?? ''
            const around = name.slice(name.indexOf('wordl'), name.indexOf('wordm'))
            found.push((await acme.search(name)).hits.length)
            found.push((await acme.search(around, { match: 'substring' })).hits.length)
            return output
          },
        { step: 'initialize' },
      )
      const settings = { clock, random: new SeededRandom(5) }
      const company = words.map((word) => `${word}${word}`).reverse()
      await directory(observed, definition, settings)
        .tenant('acme')
        .update(id, { name: nameOn('sunday'), company: company.join(' ') })
      expect(found.length).toBeGreaterThan(2)
      expect(found.filter((hits) => hits !== 1)).toEqual([])
    })
  })

  it('finds items by the name of what they are linked to, through a rename and a deletion', async () => {
    const { clock, open, settle } = await engineWith(0.02)
    await clock.run(async () => {
      const { contacts, jobs } = open(1)
      const acme = contacts.tenant('acme')
      await acme.setTarget('category', 'c1', 'Customers')
      await acme.setTarget('category', 'c2', 'Partners')
      for (let at = 0; at < 120; at++) {
        await acme.create({ name: `Person ${at}` }, { id: `p${at}` })
        await acme.link(`p${at}`, 'category', 'c1')
      }
      await acme.link('p7', 'category', 'c2')
      await settle()
      const count = async (text: string) =>
        (await acme.search(text, { limit: 100, in: ['category'] })).hits.length
      expect([await count('cust'), await count('partners')]).toEqual([100, 1])
      expect(await acme.targets('category', 'pa')).toEqual([{ id: 'c2', name: 'Partners' }])
      expect((await acme.list({ linkedTo: { category: 'c2' } })).items.map(({ id }) => id)).toEqual(['p7'])
      expect(await acme.setTarget('category', 'c1', 'Clients')).toBe(true)
      const workers = [2, 3].map((seed) => open(seed))
      const work = () =>
        Promise.all(workers.map((worker) => worker.jobs.work(worker.contacts.handle, { untilEmpty: true })))
      await work()
      await settle()
      expect([await count('cust'), await count('client')]).toEqual([0, 100])
      expect((await acme.get('p7'))?.links).toEqual({
        category: [
          { id: 'c1', name: 'Clients' },
          { id: 'c2', name: 'Partners' },
        ],
      })
      await clock.sleep(120_000)
      await work()
      expect(await acme.deleteTarget('category', 'c1')).toBe(true)
      await work()
      await clock.sleep(120_000)
      await work()
      expect([await count('client'), await count('partners')]).toEqual([0, 1])
      expect(await acme.targets('category')).toEqual([{ id: 'c2', name: 'Partners' }])
      await expect(acme.link('p1', 'category', 'c1')).rejects.toMatchObject({ code: 'search.missing' })
      expect((await jobs.stats()).due).toBe(0)
    })
  })
})
