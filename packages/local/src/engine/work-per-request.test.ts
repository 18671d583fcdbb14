import { createHook } from 'node:async_hooks'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { LmdbStorage } from '../storage/lmdb/lmdb-storage.js'
import { MemoryMap } from '../storage/memory-map.js'
import { MemoryStorage } from '../storage/memory-storage.js'
import type { Storage } from '../storage/storage.js'
import { Engine } from './engine.js'

const REGION = 'us-east-1'
const TableName = 'items'

function engineOn(storage: Storage): Engine {
  const clock = new VirtualClock()
  return new Engine({
    storage,
    clock,
    random: new SeededRandom(1),
    throttle: true,
    capacity: {},
    transactionMilliseconds: 0,
    onPartitionEvent: () => {},
    stopwatch: clock,
  })
}

const TABLE = {
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'N' },
  ],
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
}

const keyAt = (number: number) => ({ pk: { S: 'log' }, sk: { N: String(number) } })
const itemAt = (number: number) => ({ ...keyAt(number), visits: { N: '1' } })
const put = (number: number) => ({ TableName, Item: itemAt(number) })
const puts = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ PutRequest: { Item: itemAt(number) } }))

const UPDATE = {
  TableName,
  Key: keyAt(1),
  UpdateExpression: 'SET visits = visits + :one',
  ConditionExpression: 'attribute_exists(pk)',
  ExpressionAttributeValues: { ':one': { N: '1' } },
}

const QUERY = {
  TableName,
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': { S: 'log' } },
}

const TRANSACTION = { TransactItems: [{ Put: put(1) }, { Put: put(2) }, { Put: put(3) }, { Put: put(4) }] }

/** What a request costs, in counts that are the same on every machine. */
interface Work {
  readonly lookUps: number
  readonly ranges: number
  readonly commits: number
  /** None are needed in memory, and each costs as much as a look-up. */
  readonly promises: number
}

const WORK: readonly (readonly [operation: string, input: object, work: Work])[] = [
  ['PutItem', put(1), { lookUps: 1, ranges: 0, commits: 1, promises: 0 }],
  ['GetItem', { TableName, Key: keyAt(1) }, { lookUps: 1, ranges: 0, commits: 0, promises: 0 }],
  ['UpdateItem', UPDATE, { lookUps: 1, ranges: 0, commits: 1, promises: 0 }],
  ['DeleteItem', { TableName, Key: keyAt(1) }, { lookUps: 1, ranges: 0, commits: 1, promises: 0 }],
  ['Query', QUERY, { lookUps: 0, ranges: 1, commits: 0, promises: 0 }],
  // A range for each partition of a new on-demand table.
  ['Scan', { TableName }, { lookUps: 0, ranges: 4, commits: 0, promises: 0 }],
  [
    'BatchWriteItem',
    { RequestItems: { [TableName]: puts(25) } },
    { lookUps: 25, ranges: 0, commits: 25, promises: 0 },
  ],
  ['TransactWriteItems', TRANSACTION, { lookUps: 4, ranges: 0, commits: 1, promises: 0 }],
]

describe('the work of a request in memory', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it.each(WORK)('is as small as that of %s can be', async (operation, input, work) => {
    const engine = engineOn(new MemoryStorage())
    await engine.execute('CreateTable', TABLE, REGION)
    for (let number = 0; number < 50; number++) engine.execute('PutItem', put(number), REGION)
    const lookUps = [vi.spyOn(MemoryMap.prototype, 'get'), vi.spyOn(MemoryMap.prototype, 'latest')]
    const ranges = vi.spyOn(MemoryMap.prototype, 'range')
    const commits = vi.spyOn(MemoryStorage.prototype, 'write')
    let promises = 0
    const hook = createHook({
      init: (_id, type) => {
        if (type === 'PROMISE') promises++
      },
    }).enable()
    const answer = engine.execute(operation, input, REGION)
    hook.disable()
    expect({
      lookUps: lookUps.reduce((sum, { mock }) => sum + mock.calls.length, 0),
      ranges: ranges.mock.calls.length,
      commits: commits.mock.calls.length,
      promises,
    }).toEqual(work)
    await answer
    await engine.close()
  })
})

const WRITERS = 64

describe('durable writes', () => {
  it(`of ${WRITERS} writers at the same time share one commit, and so one flush`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'isotherm-work-'))
    const storage = new LmdbStorage(folder)
    const engine = engineOn(storage)
    await engine.execute('CreateTable', TABLE, REGION)
    const commits = new Set<Promise<void> | undefined>()
    for (let turn = 0; turn < 3; turn++) {
      const writes = Array.from({ length: WRITERS }, (_, number) => {
        const answer = engine.execute('PutItem', put(number), REGION)
        commits.add(storage.settled())
        return answer
      })
      await Promise.all(writes)
    }
    expect(commits.size).toBe(3)
    await engine.close()
    rmSync(folder, { recursive: true })
  })
})
