import {
  BatchWriteItemCommand,
  CreateTableCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { afterEach, expect, it, vi } from 'vitest'
import { ensureShardMap } from '../index.js'
import { queue, queueTable } from '../patterns/queue/index.js'
import { dynamicShards } from '../scaling/shards.js'
import { isotherm } from './isotherm.js'

/** As that of happy-dom: its own events, and no EventTarget of Node. */
class PageSignal {
  aborted = false
  reason: unknown
  readonly #listeners = new Set<(event: object) => void>()

  addEventListener(_type: string, listener: (event: object) => void): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_type: string, listener: (event: object) => void): void {
    this.#listeners.delete(listener)
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }

  abort(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    for (const listener of [...this.#listeners]) listener({ target: this })
  }

  static any(signals: readonly PageSignal[]): PageSignal {
    const joined = new PageSignal()
    for (const signal of signals) signal.addEventListener('abort', () => joined.abort(signal.reason))
    return joined
  }
}

class PageAbortController {
  readonly signal = new PageSignal()

  abort(reason?: unknown): void {
    this.signal.abort(reason ?? new Error('aborted'))
  }
}

afterEach(() => vi.unstubAllGlobals())

it('runs where a test emulates a page, whose AbortController is not that of Node', async () => {
  vi.stubGlobal('AbortController', PageAbortController)
  vi.stubGlobal('AbortSignal', PageSignal)
  const local = createLocal({ throttle: false })
  const client = local.client()
  await client.send(createTable('log', ['pk', 'sk']))
  await client.send(new CreateTableCommand(queueTable({ table: 'jobs', partitionKey: 'id' })))
  await ensureShardMap(client, { table: 'log' })
  const db = isotherm(client, {
    tables: { log: { partitionKey: 'pk', sortKey: 'sk', suffix: 'calculated', shards: dynamicShards() } },
  })
  const item = (sk: string) => ({ pk: { S: 'a' }, sk: { S: sk } })
  await db.send(new PutItemCommand({ TableName: 'log', Item: item('1') }))
  await db.send(new BatchWriteItemCommand({ RequestItems: { log: [{ PutRequest: { Item: item('2') } }] } }))
  // The move of the items takes the signals of the change.
  await db.shards('log', 'a').set(2)
  const query = new QueryCommand({
    TableName: 'log',
    KeyConditionExpression: 'pk = :a',
    ExpressionAttributeValues: { ':a': { S: 'a' } },
  })
  expect((await db.send(query)).Items).toEqual([item('1'), item('2')])
  const jobs = queue(client, { table: 'jobs', partitionKey: 'id' })
  await jobs.enqueue('work')
  expect(await jobs.work(async () => {}, { untilEmpty: true })).toMatchObject({ done: 1 })
  db.destroy()
  await local.close()
})
