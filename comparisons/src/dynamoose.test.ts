import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDB,
  GetItemCommand,
  ListTagsOfResourceCommand,
} from '@aws-sdk/client-dynamodb'
import dynamoose from 'dynamoose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Served, serve } from './served.fixture.js'

let served: Served

beforeAll(async () => {
  served = await serve()
  dynamoose.aws.ddb.set(new DynamoDB(served.settings))
})

afterAll(async () => {
  dynamoose.aws.ddb.revert()
  await served.stop()
})

/** Books on shelves: the library itself creates the table, its indexes, its tags and its time to live. */
const Book = dynamoose.model(
  'Book',
  new dynamoose.Schema(
    {
      shelf: { type: String, hashKey: true },
      isbn: { type: String, rangeKey: true },
      title: { type: String, required: true },
      author: { type: String, index: { type: 'global', name: 'byAuthor', rangeKey: 'year' } },
      year: { type: Number, index: { type: 'local', name: 'byYear', project: true } },
      borrower: { type: String, index: { type: 'global', name: 'byBorrower', project: ['title'] } },
      tags: { type: Set, schema: [String] },
      notes: { type: Object, schema: { pages: Number, opinions: { type: Array, schema: [String] } } },
      bought: Date,
      lent: { type: Number, default: 0 },
    },
    { timestamps: true },
  ),
  {
    throughput: 'ON_DEMAND',
    tags: { team: 'library' },
    expires: { ttl: 3_600_000, attribute: 'expires' },
    waitForActive: { enabled: true, check: { frequency: 10, timeout: 5_000 } },
  },
)

const isbn = (index: number) => `i${String(index).padStart(3, '0')}`
const plain = (found: Iterable<unknown>) => JSON.parse(JSON.stringify([...found]))

describe('Dynamoose', () => {
  it('creates its table with indexes, tags and a time to live', async () => {
    await Book.create({ shelf: 'setup', isbn: isbn(1), title: 'First' })
    const { Table } = await served.client.send(new DescribeTableCommand({ TableName: 'Book' }))
    expect(Table).toMatchObject({
      TableStatus: 'ACTIVE',
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      LocalSecondaryIndexes: [{ IndexName: 'byYear' }],
    })
    expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName).sort()).toEqual([
      'byAuthor',
      'byBorrower',
    ])
    const { TimeToLiveDescription } = await served.client.send(
      new DescribeTimeToLiveCommand({ TableName: 'Book' }),
    )
    expect(TimeToLiveDescription).toEqual({ AttributeName: 'expires', TimeToLiveStatus: 'ENABLED' })
    const { Tags } = await served.client.send(
      new ListTagsOfResourceCommand({ ResourceArn: Table?.TableArn ?? '' }),
    )
    expect(Tags).toEqual([{ Key: 'team', Value: 'library' }])
  })

  it('creates once, reads back every type and keeps timestamps', async () => {
    const bought = new Date('2026-02-03T04:05:06.000Z')
    await Book.create({
      shelf: 'types',
      isbn: isbn(1),
      title: 'Types',
      tags: new Set(['a', 'b']),
      notes: { pages: 42, opinions: ['good'] },
      bought,
    })
    const read = await Book.get({ shelf: 'types', isbn: isbn(1) })
    expect(read).toMatchObject({
      title: 'Types',
      tags: new Set(['a', 'b']),
      notes: { pages: 42, opinions: ['good'] },
      bought,
      lent: 0,
    })
    expect(read.createdAt).toBeInstanceOf(Date)
    const { Item } = await served.client.send(
      new GetItemCommand({ TableName: 'Book', Key: { shelf: { S: 'types' }, isbn: { S: isbn(1) } } }),
    )
    expect(Item).toMatchObject({ bought: { N: String(bought.getTime()) }, tags: { SS: ['a', 'b'] } })
    // A time to live is in seconds.
    expect(Number(Item?.expires?.N)).toBeLessThan(Number(Item?.createdAt?.N) / 100)
    await expect(Book.create({ shelf: 'types', isbn: isbn(1), title: 'Again' })).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
    })
    expect(await Book.get({ shelf: 'types', isbn: isbn(9) })).toBeUndefined()
  })

  it('updates with $SET, $ADD, $DELETE and $REMOVE, and with conditions', async () => {
    const key = { shelf: 'updates', isbn: isbn(1) }
    await Book.create({ ...key, title: 'Before', tags: new Set(['old']), borrower: 'ada' })
    const updated = await Book.update(key, {
      $SET: { title: 'After' },
      $ADD: { lent: 2, tags: ['new'] },
      $REMOVE: ['borrower'],
    } as never)
    expect(updated).toMatchObject({ title: 'After', lent: 2, tags: new Set(['new', 'old']) })
    expect(updated).not.toHaveProperty('borrower')
    await Book.update(key, { $DELETE: { tags: ['old'] } } as never)
    const whenLent = (lent: number) =>
      Book.update(key, { title: 'Conditional' } as never, {
        condition: new dynamoose.Condition().where('lent').ge(lent),
      })
    await expect(whenLent(3)).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' })
    expect(await whenLent(2)).toMatchObject({ title: 'Conditional', tags: new Set(['new']) })
  })

  it('queries tables and indexes by prefix, range, filter, order and count', async () => {
    await Book.batchPut(
      Array.from({ length: 20 }, (_, index) => ({
        shelf: 'queries',
        isbn: isbn(index),
        title: `T${index}`,
        author: index % 2 === 0 ? 'even' : 'odd',
        year: 2000 + ((index * 7) % 20),
        // Sparse: two of the twenty are lent.
        ...(index % 10 === 0 ? { borrower: 'ada' } : {}),
      })),
    )
    const shelf = () => Book.query('shelf').eq('queries')
    const titles = (found: Iterable<unknown>) => plain(found).map(({ title }: { title: string }) => title)
    expect(titles(await shelf().where('isbn').beginsWith('i00').sort('descending').limit(2).exec())).toEqual([
      'T9',
      'T8',
    ])
    expect(titles(await shelf().where('year').between(2003, 2005).using('byYear').exec())).toHaveLength(3)
    const even = await Book.query('author').eq('even').where('year').gt(2010).using('byAuthor').exec()
    const years = plain(even).map(({ year }: { year: number }) => year)
    expect(years).toEqual([...years].sort())
    expect(years).toEqual([2012, 2014, 2016, 2018])
    expect(titles(await Book.query('borrower').eq('ada').using('byBorrower').exec()).sort()).toEqual([
      'T0',
      'T10',
    ])
    expect(await shelf().filter('title').contains('9').count().exec()).toMatchObject({ count: 2 })
  })

  it('pages by its last key, and reads all pages at once', async () => {
    const seen: string[] = []
    let last: object | undefined
    let pages = 0
    do {
      const query = Book.query('shelf').eq('queries').limit(6)
      const page = await (last === undefined ? query : query.startAt(last)).exec()
      seen.push(...plain(page).map((each: { isbn: string }) => each.isbn))
      last = page.lastKey
      pages += 1
    } while (last !== undefined && pages < 10)
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => isbn(index)))
    expect(pages).toBe(4)
    expect(await Book.query('shelf').eq('queries').limit(3).all().exec()).toHaveLength(20)
    const scanned = await Book.scan('shelf').eq('queries').parallel(4).all().exec()
    expect(scanned).toHaveLength(20)
  })

  it('gets and deletes in batches', async () => {
    const keys = [isbn(0), isbn(1), isbn(99)].map((each) => ({ shelf: 'queries', isbn: each }))
    const found = await Book.batchGet(keys)
    expect(
      plain(found)
        .map((each: { isbn: string }) => each.isbn)
        .sort(),
    ).toEqual([isbn(0), isbn(1)])
    expect(await Book.batchDelete(keys)).toEqual({ unprocessedItems: [] })
    expect(await Book.batchGet(keys)).toHaveLength(0)
  })

  it('writes transactions whole or not at all', async () => {
    const key = (index: number) => ({ shelf: 'transactions', isbn: isbn(index) })
    await Book.create({ ...key(1), title: 'One' })
    await dynamoose.transaction([
      Book.transaction.create({ ...key(2), title: 'Two' }),
      Book.transaction.update(key(1), { $ADD: { lent: 1 } }),
    ])
    expect(await Book.get(key(1))).toMatchObject({ lent: 1 })
    await expect(
      dynamoose.transaction([
        Book.transaction.update(key(1), { $ADD: { lent: 1 } }),
        Book.transaction.condition(key(2), new dynamoose.Condition('title').eq('Three')),
      ]),
    ).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    })
    const read = await dynamoose.transaction([Book.transaction.get(key(1)), Book.transaction.get(key(2))])
    expect(plain(read)).toMatchObject([{ lent: 1 }, { title: 'Two' }])
  })

  it('keeps several models in one table and updates that table when it is told to', async () => {
    const base = { pk: { type: String, hashKey: true }, sk: { type: String, rangeKey: true } }
    const waitForActive = { enabled: true, check: { frequency: 10, timeout: 5_000 } }
    const Owner = dynamoose.model('Owner', { ...base, kind: { type: String, enum: ['owner'] }, name: String })
    const Pet = dynamoose.model('Pet', { ...base, kind: { type: String, enum: ['pet'] }, age: Number })
    new dynamoose.Table('Single', [Owner, Pet], { waitForActive })
    await Owner.create({ pk: 'o1', sk: 'owner', kind: 'owner', name: 'Ada' })
    await Pet.create({ pk: 'o1', sk: 'pet#1', kind: 'pet', age: 3 })
    const pets = await Pet.query('pk').eq('o1').where('sk').beginsWith('pet#').exec()
    expect(plain(pets)).toEqual([{ pk: 'o1', sk: 'pet#1', kind: 'pet', age: 3 }])

    const again = new dynamoose.Instance()
    again.aws.ddb.set(new DynamoDB(served.settings))
    const wider = dynamoose.model('WiderPet', {
      ...base,
      kind: { type: String, index: { type: 'global', name: 'byKind' } },
      age: Number,
    })
    new again.Table('Single', [wider], { waitForActive, update: true, throughput: 5 })
    const byKind = await wider.query('kind').eq('pet').using('byKind').exec()
    expect(plain(byKind)).toMatchObject([{ sk: 'pet#1' }])
    const { Table } = await served.client.send(new DescribeTableCommand({ TableName: 'Single' }))
    expect(Table?.ProvisionedThroughput).toMatchObject({ ReadCapacityUnits: 5, WriteCapacityUnits: 5 })
  })
})
