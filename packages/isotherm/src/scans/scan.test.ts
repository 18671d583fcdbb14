import { PutItemCommand, paginateScan, ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { keyOf, type Situation, type StoredItem, sorted, TwinTables } from '../../test/twin-tables.js'

const RANDOM: Situation = { name: 'random', suffix: 'random', shards: 4 }

const itemOf = (id: number): StoredItem => ({ ...keyOf(id), version: { N: String(id) } })

async function withItems(test: (twins: TwinTables) => Promise<void>) {
  const twins = new TwinTables(RANDOM)
  await twins.run(async () => {
    for (let id = 0; id < 20; id++) await twins.seed(itemOf(id), { place: id, isMarked: false })
    await test(twins)
  })
}

const scanning = (more: Partial<ScanCommandInput> = {}) => new ScanCommand({ TableName: 'sharded', ...more })

describe('Scan of a sharded table', () => {
  it("pages with the SDK's paginator, and returns logical keys", async () => {
    await withItems(async ({ db }) => {
      const items: StoredItem[] = []
      for await (const page of paginateScan({ client: db, pageSize: 3 }, { TableName: 'sharded' })) {
        items.push(...(page.Items ?? []))
      }
      expect(sorted(items)).toEqual(sorted(Array.from({ length: 20 }, (_, id) => itemOf(id))))
    })
  })

  it('runs in parallel segments', async () => {
    await withItems(async ({ db }) => {
      const items: StoredItem[] = []
      for (let Segment = 0; Segment < 3; Segment++) {
        items.push(...((await db.send(scanning({ Segment, TotalSegments: 3 }))).Items ?? []))
      }
      expect(sorted(items)).toEqual(sorted(Array.from({ length: 20 }, (_, id) => itemOf(id))))
    })
  })

  it("hides the library's own attributes, and returns keys without a suffix unchanged", async () => {
    await withItems(async ({ db, plain }) => {
      // The process compares its options with the table before the stranger comes.
      await db.send(scanning({}))
      const customer = { S: 'c_1_2' }
      const moved = { customer, order_id: { S: 'moved' }, isotherm_moved: { S: '1' } }
      const stranger = { customer: { S: 'bare' }, order_id: { S: 'stranger' } }
      for (const Item of [moved, stranger]) {
        await plain.send(new PutItemCommand({ TableName: 'sharded', Item }))
      }
      const FilterExpression = 'order_id IN (:moved, :stranger)'
      const ExpressionAttributeValues = { ':moved': { S: 'moved' }, ':stranger': { S: 'stranger' } }
      const { Items = [] } = await db.send(scanning({ FilterExpression, ExpressionAttributeValues }))
      expect(sorted(Items)).toEqual(sorted([{ customer: { S: 'c_1' }, order_id: { S: 'moved' } }, stranger]))
    })
  })

  it('is refused where the items are not stored as the options say', async () => {
    await withItems(async ({ db, plain }) => {
      const stranger = { customer: { S: 'bare' }, order_id: { S: 'stranger' } }
      await plain.send(new PutItemCommand({ TableName: 'sharded', Item: stranger }))
      await expect(db.send(scanning({}))).rejects.toMatchObject({ code: 'items.elsewhere' })
    })
  })

  it('omits the key when it was not requested', async () => {
    await withItems(async ({ db }) => {
      const { Items = [] } = await db.send(scanning({ ProjectionExpression: 'version', Limit: 2 }))
      expect(Items.map((item) => Object.keys(item))).toEqual([['version'], ['version']])
    })
  })

  it('matches a prefix of the logical key, and not of the stored one', async () => {
    await withItems(async ({ db, plain }) => {
      const Item = { customer: { S: 'c_2' }, order_id: { S: 'of customer c' } }
      await plain.send(new PutItemCommand({ TableName: 'sharded', Item }))
      const found = async (prefix: string, more: Partial<ScanCommandInput> = {}) =>
        db.send(
          scanning({
            FilterExpression: 'begins_with(customer, :prefix) AND attribute_exists(customer)',
            ExpressionAttributeValues: { ':prefix': { S: prefix } },
            ...more,
          }),
        )
      // Stored are c_1_1 to c_1_4, and c_2, which is customer c in its second shard.
      expect((await found('c')).Count).toBe(21)
      expect((await found('c_')).Count).toBe(20)
      expect((await found('c_1')).Items).toHaveLength(20)
      expect((await found('c_1_')).Items).toEqual([])
      const narrow = await found('c_1', { ProjectionExpression: 'version', Limit: 100 })
      expect(Object.keys(narrow.Items?.[0] ?? {})).toEqual(['version'])
      await expect(found('c_1', { Select: 'COUNT' })).rejects.toMatchObject({
        code: 'command.parameter-unsupported',
      })
    })
  })

  it('matches a prefix that another attribute has, and refuses it where a projection may leave that out', async () => {
    await withItems(async ({ db, plain }) => {
      const Item = { customer: { S: 'c_1_1' }, order_id: { S: 'own' }, beginning: { S: 'c_1' } }
      await plain.send(new PutItemCommand({ TableName: 'sharded', Item }))
      const filtered = { FilterExpression: 'begins_with(customer, beginning)' }
      expect((await db.send(scanning(filtered))).Items).toHaveLength(1)
      await expect(
        db.send(scanning({ ...filtered, ProjectionExpression: 'order_id' })),
      ).rejects.toMatchObject({ code: 'command.parameter-unsupported' })
    })
  })

  it('rejects a filter that compares the stored key, and legacy parameters', async () => {
    await withItems(async ({ db }) => {
      const ExpressionAttributeValues = { ':c': { S: 'c_1' } }
      for (const FilterExpression of [
        'customer = :c',
        'NOT begins_with(customer, :c)',
        'version = :c OR begins_with(customer, :c)',
        'contains(customer, :c)',
        'contains(customer, :c) AND begins_with(order_id, customer)',
        'begins_with(:c, customer)',
      ]) {
        const refused = db.send(scanning({ FilterExpression, ExpressionAttributeValues }))
        await expect(refused, FilterExpression).rejects.toMatchObject({
          code: 'command.parameter-unsupported',
          message: expect.stringContaining('customer'),
        })
      }
      const ScanFilter = { version: { ComparisonOperator: 'NOT_NULL' as const } }
      await expect(db.send(scanning({ ScanFilter }))).rejects.toMatchObject({
        code: 'command.parameter-unsupported',
      })
    })
  })
})
