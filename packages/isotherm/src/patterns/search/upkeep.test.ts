import {
  type AttributeValue,
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb'
import { SPENT_INDEXES } from '@isotherm/local'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { dynamicShards, ensureShardMap, isotherm } from '../../index.js'
import type { PatternClient } from '../sending/pattern-client.js'
import {
  type CheckProgress,
  defineDirectory,
  directory,
  directoryTable,
  type ImportProgress,
  plainText,
  stored,
} from './index.js'

const fields = {
  name: { required: true, search: 'substring' },
  company: { search: 'substring' },
} as const
const links = { category: {} }
type Item = Record<string, AttributeValue>

const definition = defineDirectory({ table: 'contacts', fields, links })
const streamed = defineDirectory({ table: 'contacts', fields, links, mode: 'stream' })

async function engineWith(mode: 'transaction' | 'stream' = 'transaction') {
  const own = mode === 'stream' ? streamed : definition
  const engine = await patternEngine([new CreateTableCommand(directoryTable(own))], { throttle: false })
  const { clock, client } = engine
  const open = (seed: number, db: PatternClient = client) =>
    directory(db, own, { clock, random: new SeededRandom(seed) })
  const all = async () => {
    const items: (Item & { readonly key: string })[] = []
    let ExclusiveStartKey: Item | undefined
    do {
      const page = await client.send(
        new ScanCommand({ TableName: 'contacts', ...(ExclusiveStartKey && { ExclusiveStartKey }) }),
      )
      for (const item of page.Items ?? [])
        items.push({ ...item, key: `${item.ID?.S} ${item.DataType?.S}` } as never)
      ExclusiveStartKey = page.LastEvaluatedKey
    } while (ExclusiveStartKey !== undefined)
    return items
  }
  return { ...engine, open, all }
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: `p${at}`,
    createdAt: at,
    fields: { name: `Person ${at} 山田`, company: `Company ${at % 7}` },
    links: { category: [`c${at % 3}`] },
  }))

/** The list of the tenant gets an entry for each. One partition of this engine takes 100 a second. */
const ROWS_PER_SECOND = 160
const PARTITION_UNITS = 100
/** The keys of the index have grown before the last quarter. */
const GROWN = 1_800
/** One key of the index has fallen behind. Each further row costs more throttles than the one before. */
const STUCK = 800

/** Imports contacts of one tenant at a rate, and counts the writes that the index refused by quarter of the import. */
async function importAtRate(isSharded: boolean, imported: number) {
  const { clock, client, local } = await patternEngine([], {
    ...SPENT_INDEXES,
    capacity: { ...SPENT_INDEXES.capacity, partitionWriteUnitsPerSecond: PARTITION_UNITS },
    // A tenth, as the partition: a second of it.
    propagation: { indexQueueUnits: PARTITION_UNITS },
  })
  const own = defineDirectory({ table: 'contacts', fields: { name: { required: true } } })
  const created = directoryTable(own, isSharded ? { indexPartitionKey: 'isotherm_search' } : {})
  const WarmThroughput = { ReadUnitsPerSecond: 40_000, WriteUnitsPerSecond: 40_000 }
  const GlobalSecondaryIndexes = created.GlobalSecondaryIndexes?.map((index) => ({
    ...index,
    WarmThroughput,
  }))
  const refused = () =>
    local.partitions('contacts', 'search').reduce((sum, { write }) => sum + write.throttledRequests, 0)
  const counts: number[] = []
  let read = { page: [] as string[], next: '' as string | undefined, hits: [] as string[], mostShards: 1 }
  await clock.run(async () => {
    await client.send(new CreateTableCommand({ ...created, WarmThroughput, GlobalSecondaryIndexes }))
    await ensureShardMap(client, { table: 'contacts', clock })
    const shards = dynamicShards({ partitionUnitsPerSecond: PARTITION_UNITS })
    const search = { partitionKey: 'SearchType', sortKey: 'SearchValue', shards }
    const db = isotherm(client, {
      clock,
      random: new SeededRandom(2),
      tables: { contacts: { partitionKey: 'ID', sortKey: 'DataType', indexes: { search } } },
    })
    const settings = { clock, random: new SeededRandom(3), timeout: '60s' } as const
    const acme = directory(isSharded ? db : client, own, settings).tenant('acme')
    async function* people() {
      const from = clock.now()
      for (let at = 0; at < imported; at++) {
        if (at % (imported / 4) === 0) counts.push(refused())
        const due = from + (1_000 * at) / ROWS_PER_SECOND
        if (at % 8 === 0 && due > clock.now()) await clock.sleep(due - clock.now())
        yield { id: `p${at}`, createdAt: at, fields: { name: `Person ${at}` } }
      }
    }
    await acme.import(people(), { concurrency: 40 })
    counts.push(refused())
    const keys = ['acme#item', 'acme#=p', 'acme#^p']
    const states = isSharded
      ? await Promise.all(keys.map((key) => db.shards('contacts', key, { index: 'search' }).read()))
      : []
    await clock.sleep(20_000)
    const page = await acme.list({ limit: 20 })
    const next = await acme.list({ limit: 20, cursor: page.cursor })
    const { hits } = await acme.search('person 2')
    read = {
      page: page.items.map(({ id }) => id),
      next: next.items[0]?.id,
      hits: hits.map(({ item }) => item.id),
      mostShards: Math.max(1, ...states.map((state) => state?.shards ?? 1)),
    }
  })
  return { throttles: counts.slice(1).map((count, at) => count - (counts[at] ?? 0)), read }
}

describe('a directory with the mode stream', () => {
  it('has its search items right after all records, late, twice and in any order', async () => {
    const { clock, open, all } = await engineWith('stream')
    await clock.run(async () => {
      const contacts = open(1)
      const acme = contacts.tenant('acme')
      const images: { id: string; image: object | undefined }[] = []
      const image = async (id: string) =>
        images.push({ id, image: (await all()).find(({ key }) => key === `acme#${id} item`) })
      for (const id of ['a', 'b']) {
        images.push({ id, image: undefined })
        await acme.create({ name: 'Anna Bell', company: 'First' }, { id })
        await image(id)
        await acme.update(id, { name: 'Berta Bell' })
        await image(id)
        await acme.update(id, { name: 'Anna Bell', company: null })
        await image(id)
      }
      expect((await all()).length).toBe(2)
      await acme.delete('b')
      images.push({ id: 'b', image: undefined })
      const records = images.flatMap(({ id, image: NewImage }, at) => {
        const before = images[at - 1]
        if (before?.id !== id) return []
        return [{ dynamodb: { OldImage: before.image, NewImage } }]
      })
      expect(records).toHaveLength(7)
      for (const record of [...records.reverse(), ...records, records[3] as (typeof records)[0]])
        await contacts.onStreamRecord(record)
      expect(await contacts.onStreamRecord({ dynamodb: {} })).toBe(false)
      expect(await contacts.check()).toMatchObject({ compared: 1, missing: 0, extra: 0, outdated: 0 })
      await clock.sleep(5_000)
      expect((await acme.search('bell', { match: 'substring' })).hits.map(({ item }) => item.id)).toEqual([
        'a',
      ])
      expect((await acme.search('first')).hits).toEqual([])
    })
  })
})

const CHECKED = 120

describe('a check', () => {
  it('finds and repairs what is missing, left over or outdated, and resumes', async () => {
    const { clock, open, all, client } = await engineWith()
    await clock.run(async () => {
      const contacts = open(1)
      const acme = contacts.tenant('acme')
      for (const id of ['c0', 'c1', 'c2']) await acme.setTarget('category', id, `Category ${id}`)
      await acme.import(rows(CHECKED))
      const right = await all()
      expect(await contacts.check()).toMatchObject({ compared: CHECKED, missing: 0, extra: 0, outdated: 0 })
      // By hand, as no application should.
      const damaged = right.filter(({ key }) => /p[1-5] [~^]/.test(key))
      for (const { ID, DataType } of damaged)
        await client.send(new DeleteItemCommand({ TableName: 'contacts', Key: { ID, DataType } as never }))
      const strange = {
        SearchType: { S: 'acme#~xyz' },
        SearchValue: { S: '000000000#p7' },
        DataType: { S: '~xyz' },
      }
      for (const id of ['acme#p7', 'acme#none', 'other#x'])
        await client.send(new PutItemCommand({ TableName: 'contacts', Item: { ...strange, ID: { S: id } } }))
      // Of another application that shares the table. They take more than a page of a scan.
      const text = { S: 'x'.repeat(350_000) }
      for (const [id, dataType] of [
        ['order', '1'],
        ['order#1', 'line'],
        ['order#1', '=total'],
      ] as const) {
        const Item = { ID: { S: id }, DataType: { S: dataType }, text }
        await client.send(new PutItemCommand({ TableName: 'contacts', Item }))
        right.push({ ...Item, key: `${id} ${dataType}` } as never)
      }
      const base = right.find(({ key }) => key === 'acme#p9 item') as Item
      const { key: _key, ...stored } = base
      const older = { category: { M: { c0: { M: { name: { S: 'Old' }, version: { N: '1' } } } } } }
      await client.send(
        new BatchWriteItemCommand({
          RequestItems: {
            contacts: [{ PutRequest: { Item: { ...(stored as Item), Links: { M: older } } } }],
          },
        }),
      )
      const found = await contacts.check()
      expect(found).toMatchObject({
        compared: CHECKED,
        extra: 5,
        outdated: 1,
        repaired: 0,
        startKey: undefined,
      })
      expect(found.missing).toBeGreaterThan(damaged.length)
      const progress: CheckProgress[] = []
      const stop = new AbortController()
      const begun = await contacts.check({
        repair: true,
        tenant: 'acme',
        signal: stop.signal,
        onProgress: (seen) => {
          progress.push(seen)
          if (progress.length === 1) stop.abort()
        },
      })
      expect(progress).toHaveLength(1)
      expect(begun.startKey).toBeDefined()
      const rest = await contacts.check({ repair: true, tenant: 'acme', startKey: begun.startKey })
      expect(begun.compared + rest.compared).toBe(CHECKED)
      expect(rest.startKey).toBeUndefined()
      expect(await contacts.check({ tenant: 'acme' })).toMatchObject({ missing: 0, extra: 0, outdated: 0 })
      expect(await contacts.check()).toMatchObject({ missing: 0, extra: 1, outdated: 0 })
      await contacts.check({ repair: true })
      const content = (items: typeof right) =>
        items
          .filter(({ key }) => !key.includes(' item'))
          .map((item) => JSON.stringify(Object.entries(item).sort()))
          .sort()
      expect(content(await all())).toEqual(content(right))
    })
  })
})

describe('a repair', () => {
  it('keeps a link to a target that is named again while the table is scanned', async () => {
    const own = defineDirectory({
      table: 'contacts',
      fields: { name: { required: true }, photo: stored<Uint8Array>() },
      links,
    })
    const engine = await patternEngine([new CreateTableCommand(directoryTable(own))], { throttle: false })
    const { clock, client, network } = engine
    await clock.run(async () => {
      const open = (seed: number, db: PatternClient) =>
        directory(db, own, { clock, random: new SeededRandom(seed) })
      const acme = open(1, client).tenant('acme')
      // More than a page of the scan.
      const photo = new Uint8Array(350_000)
      for (const id of ['a', 'b', 'c', 'd', 'e']) await acme.create({ name: id, photo }, { id })
      const ids: string[] = []
      let ExclusiveStartKey: Item | undefined
      do {
        const page = await client.send(
          new ScanCommand({ TableName: 'contacts', ...(ExclusiveStartKey && { ExclusiveStartKey }) }),
        )
        for (const { ID, DataType } of page.Items ?? [])
          if (DataType?.S === 'item') ids.push(ID?.S?.slice(5) ?? '')
        ExclusiveStartKey = page.LastEvaluatedKey
      } while (ExclusiveStartKey !== undefined)
      const [first = '', last = ''] = [ids[0], ids.at(-1)]
      await acme.setTarget('category', 'vip', 'Key accounts')
      await acme.link(first, 'category', 'vip')
      const Key = { ID: { S: 'acme##category#vip' }, DataType: { S: 'target' } }
      await client.send(new DeleteItemCommand({ TableName: 'contacts', Key }))
      const repairing = network(2, 0)
      let scans = 0
      repairing.middlewareStack.add(
        (next, { commandName }) =>
          async (args) => {
            if (commandName === 'ScanCommand' && ++scans === 2) {
              await acme.setTarget('category', 'vip', 'Clients')
              await acme.link(last, 'category', 'vip')
            }
            return next(args)
          },
        { step: 'initialize' },
      )
      await open(3, repairing).check({ repair: true })
      expect(scans).toBe(2)
      expect((await acme.get(first))?.links.category).toEqual([])
      expect((await acme.get(last))?.links.category).toEqual([{ id: 'vip', name: 'Clients' }])
    })
  })
})

describe('a check after a change of a normalizer', () => {
  it('writes the entries of items in the list of their tenant, too, and keeps what it does not know', async () => {
    const of = (normalize: (text: string) => string) =>
      defineDirectory({
        table: 'contacts',
        fields: { name: { required: true, search: 'substring', normalize } },
      })
    const before = of(plainText)
    const after = of((text) => plainText(text).replaceAll('x', 'y'))
    const engine = await patternEngine([new CreateTableCommand(directoryTable(before))], { throttle: false })
    const { clock, client } = engine
    await clock.run(async () => {
      const settings = { clock, random: new SeededRandom(1) }
      const { id } = await directory(client, before, settings).tenant('acme').create({ name: 'max power' })
      const Key = { ID: { S: `acme#${id}` }, DataType: { S: 'item' } }
      const { Item } = await client.send(new GetItemCommand({ TableName: 'contacts', Key }))
      const seen = { ...Item, Seen: { S: 'by another application' } }
      await client.send(new PutItemCommand({ TableName: 'contacts', Item: seen }))
      const contacts = directory(client, after, settings)
      expect((await contacts.check()).repaired).toBe(0)
      expect((await contacts.check({ repair: true })).repaired).toBe(1)
      expect(await contacts.check()).toMatchObject({ missing: 0, extra: 0 })
      await clock.sleep(5_000)
      const hitsOf = async (text: string) =>
        (await contacts.tenant('acme').search(text, { match: 'substring' })).hits.length
      expect([await hitsOf('y'), await hitsOf('ay'), await hitsOf('may'), await hitsOf('max')]).toEqual([
        1, 1, 1, 1,
      ])
      const now = await client.send(new GetItemCommand({ TableName: 'contacts', Key }))
      expect(now.Item).toMatchObject({ Seen: seen.Seen, Version: Item?.Version })
    })
  })
})

describe('an import', () => {
  it('changes nothing the second time, and takes up what a stopped one has begun', async () => {
    const { clock, open, all, network } = await engineWith()
    await clock.run(async () => {
      const acme = open(1).tenant('acme')
      for (const id of ['c0', 'c1', 'c2']) await acme.setTarget('category', id, `Category ${id}`)
      // A process that ends in the middle of its batches.
      const ending = network(5, 0)
      let requests = 0
      ending.middlewareStack.add(
        (next) => async (args) => {
          requests += 1
          if (requests > 75) throw new Error('The process has ended.')
          return next(args)
        },
        { step: 'initialize' },
      )
      await expect(open(2, ending).tenant('acme').import(rows(120))).rejects.toThrow('ended')
      const left = await all()
      expect(left.some((item) => 'Importing' in item)).toBe(true)
      expect(await acme.get('p119')).toBeUndefined()
      const seen: ImportProgress[] = []
      const again = await open(3, network(6, 0.02))
        .tenant('acme')
        .import(rows(120), { onProgress: (at) => seen.push(at) })
      expect(again.rows).toBe(120)
      expect(again.created + again.unchanged).toBe(120)
      expect(seen.map((at) => at.rows)).toEqual(seen.map((at) => at.rows).sort((a, b) => a - b))
      const complete = await all()
      expect(complete.filter((item) => 'Importing' in item)).toEqual([])
      expect(await acme.import(rows(120))).toEqual({ rows: 120, created: 0, changed: 0, unchanged: 120 })
      expect(await all()).toEqual(complete)
      expect(await open(1).check()).toMatchObject({ compared: 120, missing: 0, extra: 0, outdated: 0 })
      const changed = rows(120).map((row) => (row.id === 'p3' ? { ...row, fields: { name: 'New' } } : row))
      expect(await acme.import(changed, { skip: 2 })).toMatchObject({ rows: 120, changed: 1, unchanged: 117 })
      expect((await acme.get('p3'))?.company).toBeUndefined()
      await expect(acme.import([{ id: 'x', fields: {} as never }])).rejects.toMatchObject({
        code: 'options.invalid',
      })
    })
  })

  it('is not throttled for long by the partition of one tenant when the library shards the index', async () => {
    const { throttles, read } = await importAtRate(true, GROWN)
    const sum = throttles.reduce((all, one) => all + one)
    // The first scale-ups follow throttles. The last quarter has next to none, though the rate has not changed.
    expect(sum).toBeGreaterThan(0)
    expect(throttles[3]).toBeLessThan(sum / 100)
    const plain = await importAtRate(false, STUCK)
    // The same rate throttles one key of the index to the end.
    expect(plain.throttles[3]).toBeGreaterThan(100)
    for (const [{ page, next, hits }, imported] of [
      [read, GROWN],
      [plain.read, STUCK],
    ] as const) {
      expect(page).toEqual(Array.from({ length: 20 }, (_, at) => `p${imported - 1 - at}`))
      expect(next).toBe(`p${imported - 21}`)
      expect([hits.length, hits[0]]).toEqual([100, 'p299'])
    }
    expect([plain.read.mostShards, read.mostShards > 1]).toEqual([1, true])
  })
})
