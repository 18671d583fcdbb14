import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type CreateTableCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { VirtualClock } from '@isotherm/runtime'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { createLocal, type LocalOptions } from '../local.js'
import { startLocal } from '../start-local.js'
import { parseTableDesigns } from './replay-design.js'
import { replayTrace } from './replay-trace.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-replay-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

/** Records a trace of `work` on virtual time. */
async function record(
  work: (client: DynamoDBClient, clock: VirtualClock) => Promise<void>,
  options: LocalOptions = {},
): Promise<string> {
  const trace = join(folder, `${files++}.jsonl`)
  const clock = new VirtualClock()
  const local = createLocal({ clock, trace, ...options })
  await clock.run(() => work(local.client({ maxAttempts: 1 }), clock))
  await local.close()
  return trace
}

/** @param units provisioned units; without them the table is on demand. */
function createThings(units?: number) {
  return createTable('things', ['id', 'at'], {
    global: { byStatus: { key: ['status', 'at'], projected: 'KEYS_ONLY' } },
    ...(units === undefined ? {} : { units }),
  })
}

const TableName = 'things'

/** Any request for a few items, so that requests conflict. */
const step = fc
  .record({
    kind: fc.constantFrom(
      'put',
      'get',
      'update',
      'delete',
      'batch',
      'batchGet',
      'query',
      'transaction',
      'fail',
    ),
    id: fc.constantFrom('a', 'b', 'c'),
    at: fc.constantFrom('1', '2'),
    status: fc.constantFrom('open', 'done'),
    bytes: fc.integer({ min: 0, max: 3_000 }),
    pause: fc.constantFrom(0, 0, 1, 7, 400),
  })
  .map(({ pause, ...rest }) => ({ pause, command: commandOf(rest) }))

function commandOf({
  kind,
  id,
  at,
  status,
  bytes,
}: {
  kind: string
  id: string
  at: string
  status: string
  bytes: number
}) {
  const Key = { id: { S: id }, at: { S: at } }
  const Item = { ...Key, status: { S: status }, text: { S: 'x'.repeat(bytes) } }
  switch (kind) {
    case 'get':
      return new GetItemCommand({ TableName, Key })
    case 'update':
      return new UpdateItemCommand({
        TableName,
        Key,
        UpdateExpression: 'SET #s = :s',
        ExpressionAttributeNames: { '#s': 'status' },
        ExpressionAttributeValues: { ':s': { S: status } },
      })
    case 'delete':
      return new DeleteItemCommand({ TableName, Key })
    case 'batch':
      return new BatchWriteItemCommand({
        RequestItems: {
          things: ['1', '2', '3'].map((time) => ({ PutRequest: { Item: { ...Item, at: { S: time } } } })),
        },
      })
    case 'batchGet':
      return new BatchGetItemCommand({
        RequestItems: { things: { Keys: [Key, { ...Key, at: { S: '3' } }] } },
      })
    case 'query':
      return new QueryCommand({
        TableName,
        IndexName: 'byStatus',
        KeyConditionExpression: '#s = :s',
        ExpressionAttributeNames: { '#s': 'status' },
        ExpressionAttributeValues: { ':s': { S: status } },
      })
    case 'transaction':
      return new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item } }] })
    case 'fail':
      return new PutItemCommand({ TableName, Item, ConditionExpression: 'attribute_exists(nothing)' })
    default:
      return new PutItemCommand({ TableName, Item })
  }
}

let recordedRegistrations: Promise<string> | undefined

/**
 * Ten seconds of registrations in a table whose index has two values: 300 items per second, where a partition accepts 200.
 * They are recorded once for all tests.
 */
function registrations(): Promise<string> {
  recordedRegistrations ??= recordRegistrations()
  return recordedRegistrations
}

function recordRegistrations(): Promise<string> {
  const capacity = { partitionWriteUnitsPerSecond: 200, indexPartitionBurstSeconds: 1 }
  const propagation = { indexQueueUnits: 200 }
  return record(
    async (client, clock) => {
      await client.send(createThings())
      for (let batch = 0; batch < 120; batch++) {
        const items = Array.from({ length: 25 }, (_, at) => {
          const status = { S: at % 12 === 0 ? 'done' : 'open' }
          return { PutRequest: { Item: { id: { S: `${batch}/${at}` }, at: { S: String(batch) }, status } } }
        })
        await client.send(new BatchWriteItemCommand({ RequestItems: { things: items } })).catch(() => {})
        await clock.sleep(1_000 / 12)
      }
    },
    { capacity, propagation },
  )
}

describe('a replay', () => {
  it('of any requests, without changes, has the same units, throttles and errors', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.constantFrom(1, 5, 50), async (steps, units) => {
        const path = await record(async (client, clock) => {
          await client.send(createThings(units))
          for (const { pause, command } of steps) {
            await client.send(command as PutItemCommand).catch(() => {})
            await clock.sleep(pause)
          }
        })
        const { tables } = await replayTrace({ path })
        for (const { recorded, replayed } of tables) expect(replayed).toEqual(recorded)
        expect(tables.length).toBe(steps.length === 0 ? 0 : 1)
        rmSync(path)
      }),
      { numRuns: 60 },
    )
  })

  it('reports its progress', async () => {
    const path = await record(async (client, clock) => {
      await client.send(createThings(500))
      for (let at = 0; at < 2_100; at++) {
        await client.send(new GetItemCommand({ TableName, Key: { id: { S: 'a' }, at: { S: `${at}` } } }))
        await clock.sleep(10)
      }
    })
    const seen: unknown[] = []
    const report = await replayTrace({ path, rate: 2, onProgress: (progress) => seen.push(progress) })
    // The table is created before the first item is read, 10 ms of the recording apart.
    expect(seen).toEqual([
      { requests: 1_000, seconds: expect.closeTo(4.99, 2) },
      { requests: 2_000, seconds: expect.closeTo(9.99, 2) },
    ])
    expect(report.requests).toBe(2_101)
  })

  it('of requests that came over a socket accepts the same requests', async () => {
    const trace = join(folder, 'socket.jsonl')
    const local = await startLocal({ port: 0, trace })
    const ask = (operation: string, body: object) =>
      fetch(local.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': `DynamoDB_20120810.${operation}`,
        },
        body: JSON.stringify(body),
      })
    await ask('CreateTable', createThings(500).input)
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        ask('PutItem', { TableName, Item: { id: { S: 'a' }, at: { S: String(at) }, bytes: { B: 'AQID' } } }),
      ),
    )
    await local.close()
    const { tables, requests } = await replayTrace({ path: trace })
    expect(requests).toBe(21)
    expect(tables[0]?.recorded).toMatchObject({ offered: 20, accepted: 20, units: { write: 20 } })
    expect(tables[0]?.replayed).toEqual(tables[0]?.recorded)
  })

  it('returns the same report for the same file, options and seed', async () => {
    const path = await registrations()
    const tables = { things: { suffix: { attribute: 'status', shards: 4 } } }
    const run = async (seed: number) =>
      JSON.stringify(await replayTrace({ path, design: { tables }, rate: 1.5, seed }))
    const once = await run(3)
    expect(await run(3)).toBe(once)
    expect(await run(4)).not.toBe(once)
  })

  it('shows that a suffix relieves an index with two values', async () => {
    const path = await registrations()
    const tables = { things: { suffix: { attribute: 'status', shards: 10 } } }
    const [before] = (await replayTrace({ path })).tables
    const [cured] = (await replayTrace({ path, design: { tables } })).tables
    expect(before?.replayed.throttled).toBeGreaterThan(200)
    expect(Object.keys(before?.replayed.reasons ?? {})).toEqual([
      'IndexWriteKeyRangeThroughputExceeded (byStatus)',
    ])
    expect(before?.replayed).toEqual(before?.recorded)
    expect(cured?.replayed).toMatchObject({ offered: 3_000, accepted: 3_000, throttled: 0 })
  })

  it('applies other throughput, another mode, and other indexes', async () => {
    const path = await record(async (client, clock) => {
      await client.send(createThings(1))
      for (let at = 0; at < 50; at++) {
        const Item = { id: { S: 'a' }, at: { S: String(at) }, status: { S: 'open' } }
        await client.send(new PutItemCommand({ TableName, Item })).catch(() => {})
        await clock.sleep(100)
      }
    })
    const figures = async (design: object) => (await replayTrace({ path, design })).tables[0]?.replayed
    expect((await figures({}))?.throttled).toBeGreaterThan(20)
    expect(await figures({ throughput: { readUnits: 10, writeUnits: 20 } })).toMatchObject({ accepted: 50 })
    expect(await figures({ billingMode: 'PAY_PER_REQUEST' })).toMatchObject({
      accepted: 50,
      units: { write: 50, 'write.byStatus': 50 },
    })
    const removed = { BillingMode: 'PAY_PER_REQUEST', removeIndexes: ['byStatus'] }
    expect(await figures({ tables: { things: removed } })).toMatchObject({ units: { write: 50 } })
    const added = {
      ...removed,
      addIndexes: [
        {
          IndexName: 'byTime',
          KeySchema: [{ AttributeName: 'at', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }
    expect(await figures({ tables: { things: added } })).toMatchObject({
      units: { write: 50, 'write.byTime': 50 },
    })
  })

  it('creates and deletes exactly the tables that the recording created and deleted', async () => {
    const path = await record(
      async (client, clock) => {
        const refused = (command: CreateTableCommand | DeleteTableCommand) =>
          expect(client.send(command as CreateTableCommand)).rejects.toMatchObject({
            name: 'ResourceInUseException',
          })
        await client.send(createThings(5))
        await refused(new DeleteTableCommand({ TableName }))
        await clock.sleep(60_000)
        await client.send(new DeleteTableCommand({ TableName }))
        await refused(createThings(1))
        await clock.sleep(60_000)
        await client.send(createThings(5))
        await clock.sleep(60_000)
        await client.send(new PutItemCommand({ TableName, Item: { id: { S: 'a' }, at: { S: '1' } } }))
      },
      { controlPlaneDelays: 'real' },
    )
    const { tables, leftOut } = await replayTrace({ path })
    expect(leftOut).toEqual({ CreateTable: 1, DeleteTable: 1 })
    expect(tables[0]?.replayed).toMatchObject({ offered: 1, accepted: 1, units: { write: 1 } })
  })

  it('continues after requests that are not objects', async () => {
    const trace = join(folder, 'odd.jsonl')
    const local = await startLocal({ port: 0, trace })
    for (const body of ['null', '5', '[]', '{}', '{"TableName":5}', JSON.stringify(createThings(5).input)]) {
      const headers = {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'DynamoDB_20120810.CreateTable',
      }
      await fetch(local.url, { method: 'POST', headers, body })
      headers['x-amz-target'] = 'DynamoDB_20120810.PutItem'
      await fetch(local.url, { method: 'POST', headers, body })
    }
    await local.close()
    const { requests, tables } = await replayTrace({ path: trace })
    expect(requests).toBe(12)
    expect(tables.map((each) => [each.table, each.recorded.failed])).toEqual([
      ['(no table)', 5],
      ['things', 1],
    ])
    for (const { recorded, replayed } of tables) expect(replayed).toEqual(recorded)
  })

  it('reads all shards for a query of a sharded key, and one for an item', async () => {
    const path = await record(async (client, clock) => {
      await client.send(createThings(1_000))
      await clock.sleep(10_000)
      for (const at of ['1', '2', '3', '4']) {
        await client.send(new PutItemCommand({ TableName, Item: { id: { S: 'a' }, at: { S: at } } }))
      }
      await client.send(
        new GetItemCommand({ TableName, Key: { id: { S: 'a' }, at: { S: '3' } }, ConsistentRead: true }),
      )
      await client.send(
        new QueryCommand({
          TableName,
          ConsistentRead: true,
          KeyConditionExpression: 'id = :i AND #t > :from',
          FilterExpression: 'note <> :i',
          ExpressionAttributeNames: { '#t': 'at' },
          ExpressionAttributeValues: { ':i': { S: 'a' }, ':from': { S: '0' } },
        }),
      )
    })
    const tables = { things: { suffix: { attribute: 'id', shards: 5 } } }
    const report = await replayTrace({ path, design: { tables } })
    expect(report.notAdapted).toBe(0)
    expect(report.tables[0]?.recorded).toMatchObject({
      offered: 6,
      accepted: 6,
      units: { read: 2, write: 4 },
    })
    expect(report.tables[0]?.replayed).toMatchObject({
      offered: 6,
      accepted: 6,
      units: { read: 6, write: 4 },
    })
  })

  it('takes half the time at twice the rate', async () => {
    const path = await registrations()
    const calm = await replayTrace({ path, rate: 0.5 })
    expect(calm.seconds).toBeCloseTo(20, 0)
    expect(calm.tables[0]?.replayed.throttled).toBe(0)
  })
})

/** Removes everything from the trace that version 1 did not contain. */
function asVersionOne(path: string): string {
  const [first = '', ...lines] = readFileSync(path, 'utf8').split('\n')
  const { settings: _, partitions: __, ...header } = JSON.parse(first)
  const file = join(folder, `${files++}.jsonl`)
  writeFileSync(file, [JSON.stringify({ ...header, version: 1 }), ...lines].join('\n'))
  return file
}

describe('a replay uses the settings of the recorded engine', () => {
  const item = (id: string, at: string) => ({ id: { S: id }, at: { S: at }, status: { S: 'open' } })
  const put = (id: string, at: string) => new PutItemCommand({ TableName, Item: item(id, at) })

  it('for capacity and the depth of index queues', async () => {
    const path = await record(
      async (client, clock) => {
        await client.send(createThings(1_000))
        for (let at = 0; at < 400; at++) {
          await client.send(put(`id-${at}`, String(at))).catch(() => {})
          await clock.sleep(10)
        }
      },
      {
        capacity: { partitionWriteUnitsPerSecond: 50, indexPartitionBurstSeconds: 1 },
        propagation: { indexQueueUnits: 3 },
      },
    )
    const [things] = (await replayTrace({ path })).tables
    expect(things?.recorded.throttled).toBeGreaterThan(100)
    expect(things?.replayed).toEqual(things?.recorded)
    const [before] = (await replayTrace({ path: asVersionOne(path) })).tables
    expect(before?.replayed.throttled).toBe(0)
  })

  it('for how long a transaction holds its items', async () => {
    const path = await record(
      async (client, clock) => {
        await client.send(createThings(1_000))
        const transaction = () =>
          client
            .send(
              new TransactWriteItemsCommand({
                TransactItems: [{ Put: { TableName, Item: item('a', '1') } }],
              }),
            )
            .catch(() => {})
        const all: Promise<unknown>[] = []
        for (let round = 0; round < 20; round++) {
          all.push(transaction())
          await clock.sleep(10)
        }
        await Promise.all(all)
      },
      { transactionMilliseconds: 45 },
    )
    const [things] = (await replayTrace({ path })).tables
    expect(things?.recorded).toMatchObject({ offered: 20, accepted: 4, failed: 16 })
    expect(things?.replayed).toEqual(things?.recorded)
    const [before] = (await replayTrace({ path: asVersionOne(path) })).tables
    expect(before?.replayed.accepted).toBe(20)
  })

  it.each([1, 4])('for how long table creation takes, at rate %i', async (rate) => {
    const path = await record(
      async (client, clock) => {
        await client.send(createThings(1_000))
        for (let at = 0; at < 20; at++) {
          await client.send(put('a', String(at))).catch(() => {})
          await clock.sleep(1_000)
        }
      },
      { controlPlaneDelays: 'real', controlPlaneLimits: 'real' },
    )
    const [things] = (await replayTrace({ path, rate })).tables
    expect(things?.recorded).toMatchObject({ accepted: 4, failed: 16 })
    expect(things?.replayed).toEqual(things?.recorded)
  })

  it('for the partitions that tables had before, which remain when throughput decreases', async () => {
    const data = join(folder, 'partitions')
    const earlier = createLocal({ data })
    const client = earlier.client()
    await client.send(createThings(1))
    const throughput = (WriteCapacityUnits: number) =>
      new UpdateTableCommand({
        TableName,
        ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits },
      })
    await client.send(throughput(6_000))
    await client.send(throughput(1))
    await earlier.close()
    const path = await record(
      async (later) => {
        await later.send(new ScanCommand({ TableName, ConsistentRead: true }))
      },
      { data, controlPlaneDelays: 'real' },
    )
    const [things] = (await replayTrace({ path })).tables
    expect(things?.recorded.units.read).toBeGreaterThan(5)
    expect(things?.replayed).toEqual(things?.recorded)
    const design = {
      tables: { things: { ProvisionedThroughput: { ReadCapacityUnits: 2, WriteCapacityUnits: 2 } } },
    }
    const [designed] = (await replayTrace({ path, design })).tables
    expect(designed?.replayed.units.read).toBe(1)
    const [before] = (await replayTrace({ path: asVersionOne(path) })).tables
    expect(before?.replayed.units.read).toBe(1)
  })
})

describe('a file to replay', () => {
  it('may end in the middle of a line', async () => {
    const path = await record(async (client) => {
      await client.send(createThings(5))
    })
    appendFileSync(path, '{"number":1,"at":5,"reg')
    expect(await replayTrace({ path })).toMatchObject({ isTorn: true, requests: 1 })
  })

  it('may contain no request', async () => {
    const path = await record(async () => {})
    expect(await replayTrace({ path })).toMatchObject({ requests: 0, seconds: 0, tables: [] })
  })

  it('is rejected when it is missing, foreign, newer or damaged in the middle', async () => {
    const path = await record(async (client) => {
      await client.send(createThings(5))
    })
    const [header = '', line = ''] = readFileSync(path, 'utf8').split('\n')
    const refused = async (text: string, code: string) => {
      const file = join(folder, `${files++}.jsonl`)
      writeFileSync(file, text)
      await expect(replayTrace({ path: file })).rejects.toMatchObject({ code })
    }
    await expect(replayTrace({ path: '/nowhere' })).rejects.toMatchObject({ code: 'trace.read' })
    await refused('', 'trace.foreign')
    await refused('a log\n', 'trace.foreign')
    await refused(`${header.replace('"version":2', '"version":3')}\n${line}\n`, 'trace.newer')
    await refused(`${header.replace('"propagation":{', '"other":{')}\n${line}\n`, 'trace.foreign')
    await refused(`${header}\nnothing\n${line}\n`, 'trace.damaged')
    for (const odd of ['"takes":[null]', '"takes":[{"units":1}]', '"takes":{}', '"refusals":[[5]]']) {
      const [name = ''] = odd.split(':')
      await refused(`${header}\n${line.replace(`${name}:[]`, odd)}\n`, 'trace.damaged')
    }
  })

  it('requires a design that fits its tables', async () => {
    const path = await record(async (client) => {
      await client.send(createThings(5))
    })
    const refused = (design: object, text: RegExp) =>
      expect(
        (async () => replayTrace({ path, design: { tables: parseTableDesigns(design) } }))(),
      ).rejects.toThrow(text)
    await refused(
      { things: { suffix: { attribute: 'at', shards: 3 } } },
      /at of table things cannot have a suffix/,
    )
    await refused({ things: { suffix: { attribute: 'id', shards: 0 } } }, /wrong suffix/)
    await refused({ things: { shards: 3 } }, /has 'shards'/)
    await refused(
      { things: { BillingMode: 'PAY_PER_REQUEST', WarmThroughput: { ReadUnitsPerSecond: 1 } } },
      /is refused/,
    )
    await refused([], /must be a JSON object/)
    await refused({ thing: {} }, /names the table thing, which the trace does not have; it has things/)
  })

  it('reports how each table is billed, also if it was deleted, and the requests of each second', async () => {
    const path = await record(async (client) => {
      await client.send(createThings(5))
      const Item = { id: { S: 'a' }, at: { S: '1' } }
      await client.send(new PutItemCommand({ TableName: 'things', Item }))
      await client.send(new DeleteTableCommand({ TableName: 'things' }))
    })
    const provisioned = {
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 7, WriteCapacityUnits: 3 },
    }
    const report = await replayTrace({ path, design: { tables: { things: provisioned } }, series: true })
    expect(report.tables[0]?.billing).toEqual({ mode: 'PROVISIONED', readUnits: 14, writeUnits: 6 })
    expect(report.series?.replayed).toEqual({ stepSeconds: 1, offered: [1], throttled: [0] })
    expect((await replayTrace({ path })).series).toBeUndefined()
  })
})
