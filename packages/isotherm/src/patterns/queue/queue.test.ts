import { readFileSync } from 'node:fs'
import {
  CreateTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  type QueryCommandOutput,
  ScanCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import * as core from '../../core.js'
import { fixedShards, IsothermError, isotherm } from '../../index.js'
import { type Queue, type QueueOptions, queue, queueTable } from './index.js'

const options = { table: 'jobs', partitionKey: 'id', lease: '3s', retryDelay: '1s' } as const
const tables = [new CreateTableCommand(queueTable(options)), createTable('ledger', ['entry'])]

async function engineWith(lostReplies = 0, given: Partial<QueueOptions> = {}) {
  const engine = await patternEngine(tables, { throttle: false })
  const { clock } = engine
  const open = (seed: number): Queue<{ n: number }> =>
    queue(engine.network(seed, lostReplies), { ...options, clock, random: new SeededRandom(seed), ...given })
  return { ...engine, open }
}

/** A write that shows how often it was carried out. */
function count(entry: string): TransactWriteItem {
  return {
    Update: {
      TableName: 'ledger',
      Key: { entry: { S: entry } },
      UpdateExpression: 'ADD applied :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    },
  }
}

async function ledger(client: DynamoDBClient): Promise<Readonly<Record<string, number>>> {
  const entries: Record<string, number> = {}
  let from: Record<string, never> | undefined
  do {
    const page = await client.send(new ScanCommand({ TableName: 'ledger', ExclusiveStartKey: from }))
    for (const { entry, applied } of page.Items ?? []) entries[entry?.S ?? ''] = Number(applied?.N)
    from = page.LastEvaluatedKey as typeof from
  } while (from !== undefined)
  return entries
}

const numbered = (length: number) => Array.from({ length }, (_, index) => index)
const once = (length: number) => Object.fromEntries(numbered(length).map((n) => [`job-${n}`, 1]))
const untilEmpty = { untilEmpty: true } as const

describe('a queue', () => {
  it('does the writes of each operation once, while workers die and answers are lost', async () => {
    const { clock, client, network, open } = await engineWith(0.05, { maxAttempts: 100 })
    // A new client of the SDK reads files first, for which virtual time does not wait.
    const clients = numbered(4).map((index) => network(50 + index, 0.05))
    const random = new SeededRandom(5)
    await clock.run(async () => {
      const jobs = numbered(150)
      const enqueuer = open(1)
      await Promise.all(jobs.map((n) => enqueuer.enqueue({ n }, { key: `key-${n}` })))
      let [left, seed] = [jobs.length, 100]
      const done = new Set<number>()
      const worker = async (place: number) => {
        while (left > 0) {
          const stop = new AbortController()
          // As if the process were gone: what it holds is not given back, and its handlers never end.
          const isKilled = random.next() < 0.5
          let isDead = false
          const handler = async ({ payload: { n } }: { payload: { n: number } }) => {
            await clock.sleep(200 * random.next())
            if (isDead) await new Promise(() => {})
            done.add(n)
            left = jobs.length - done.size
            return [count(`job-${n}`)]
          }
          seed += 1
          const queued: Queue<{ n: number }> = queue(clients[place] as never, {
            ...options,
            clock,
            random: new SeededRandom(seed),
            maxAttempts: 100,
          })
          const work = queued.work(handler, {
            concurrency: 3,
            signal: stop.signal,
            pollInterval: '500ms',
            stopTimeout: '100ms',
          })
          await clock.sleep(2_000 * random.next())
          isDead = isKilled
          stop.abort()
          await work
        }
      }
      await Promise.all(numbered(4).map(worker))
      await open(2).work(async ({ payload: { n } }) => [count(`job-${n}`)], untilEmpty)
      await clock.sleep(10_000)
      await open(3).work(async ({ payload: { n } }) => [count(`job-${n}`)], untilEmpty)
      expect(await ledger(client)).toEqual(once(150))
      expect(await open(4).stats()).toMatchObject({ due: 0, later: 0, dead: 0, isExact: true })
    })
  })

  it('stores an operation once for each key, whoever enqueues it', async () => {
    const { clock, open } = await engineWith(0.1)
    await clock.run(async () => {
      const results = await Promise.all(
        numbered(20).map((index) => open(10 + index).enqueue({ n: 1 }, { key: 'a' })),
      )
      expect(results.filter(({ isNew }) => isNew)).toHaveLength(1)
      expect(new Set(results.map(({ id }) => id))).toEqual(new Set(['a']))
      expect((await open(1).stats()).due).toBe(1)
      await open(2).work(async () => {}, untilEmpty)
      // It is done, and its key is still taken.
      expect(await open(3).enqueue({ n: 1 }, { key: 'a' })).toEqual({ id: 'a', isNew: false })
    })
  })

  it('stores an operation of an entity once for each key, also if it is the last one', async () => {
    const { clock, client, open } = await engineWith()
    await clock.run(async () => {
      const jobs = open(1)
      const given = { key: 'a', entity: 'e' }
      expect(await jobs.enqueue({ n: 1 }, given)).toEqual({ id: 'a', isNew: true })
      expect(await jobs.enqueue({ n: 1 }, given)).toEqual({ id: 'a', isNew: false })
      const { actions } = await jobs.prepare({ n: 1 }, given)
      const again = client.send(new TransactWriteItemsCommand({ TransactItems: [...actions] }))
      await expect(again).rejects.toMatchObject({
        CancellationReasons: [{ Code: 'ConditionalCheckFailed' }],
      })
      expect(await jobs.stats()).toMatchObject({ due: 1, later: 0 })
    })
  })

  it('works the operations of an entity off in their order, through failures and deaths', async () => {
    const { clock, open } = await engineWith(0.03, { maxAttempts: 3 })
    await clock.run(async () => {
      const entities = ['a', 'b', 'c']
      const enqueuer = open(1)
      await Promise.all(
        entities.map(async (entity) => {
          for (const n of numbered(15)) await enqueuer.enqueue({ n }, { entity, key: `${entity}-${n}` })
        }),
      )
      expect((await enqueuer.stats()).due).toBe(3)
      const seen: Record<string, number[]> = { a: [], b: [], c: [] }
      const random = new SeededRandom(9)
      const handler = async ({
        entity = '',
        payload: { n },
      }: {
        entity: string | undefined
        payload: { n: number }
      }) => {
        await clock.sleep(100 * random.next())
        if (n === 7) throw new Error('I am poison')
        if (random.next() < 0.2) throw new Error('not now')
        seen[entity]?.push(n)
        return undefined
      }
      const stop = new AbortController()
      const work = numbered(4).map((index) =>
        open(20 + index).work(handler, { concurrency: 5, signal: stop.signal }),
      )
      const workUntil = clock.now() + 300_000
      do {
        await clock.sleep(10_000)
        const { due, later } = await enqueuer.stats()
        if (due + later === 0) break
      } while (clock.now() < workUntil)
      stop.abort()
      await Promise.all(work)
      const dead = await open(2).deadLetters()
      for (const entity of entities) {
        const own = seen[entity] ?? []
        expect(own).toEqual([...own].sort((one, two) => one - two))
        // A handler may run twice where the answer to the end of its operation was lost; its writes would not.
        const missing = numbered(15).filter((n) => !own.includes(n))
        expect(
          dead
            .filter((letter) => letter.entity === entity)
            .map(({ payload }) => Object(payload).n)
            .sort(),
        ).toEqual(missing.sort())
        expect(missing).toContain(7)
      }
      expect(await open(3).stats()).toMatchObject({ due: 0, later: 0, dead: dead.length })
    })
  })

  it('keeps what fails too often as a dead letter with its reason, and begins it again', async () => {
    const { clock, client, open } = await engineWith(0, { maxAttempts: 3 })
    await clock.run(async () => {
      const jobs = open(1)
      await jobs.enqueue({ n: 1 }, { key: 'poison' })
      const attempts: number[] = []
      const from = clock.now()
      const stop = new AbortController()
      const work = jobs.work(
        async ({ attempt }) => {
          attempts.push(attempt)
          throw new TypeError('no such customer')
        },
        { signal: stop.signal },
      )
      await clock.sleep(60_000)
      stop.abort()
      expect(await work).toEqual({ done: 0, failed: 3, dead: 1, returned: 0 })
      expect(attempts).toEqual([1, 2, 3])
      const [letter, ...others] = await jobs.deadLetters()
      expect(others).toEqual([])
      expect(letter).toMatchObject({
        id: 'poison',
        payload: { n: 1 },
        reason: 'TypeError: no such customer',
        attempts: 3,
      })
      expect(letter?.diedAt).toBeGreaterThan(from + 1_000)
      await expect(jobs.redrive('other')).rejects.toMatchObject({ code: 'queue.not-dead' })
      await jobs.redrive('poison')
      expect(await jobs.work(async () => [count('job')], untilEmpty)).toMatchObject({ done: 1 })
      expect(await ledger(client)).toEqual({ job: 1 })
      expect(await jobs.deadLetters()).toEqual([])
      await expect(jobs.redrive('poison')).rejects.toMatchObject({ code: 'queue.not-dead' })
    })
  })

  it('ends an operation that ends its workers', async () => {
    const { clock, client, open } = await engineWith(0, { maxAttempts: 2 })
    await clock.run(async () => {
      await open(1).enqueue({ n: 1 })
      for (let worker = 0; worker < 2; worker++) {
        const never = new Promise<never>(() => {})
        // Nothing is heard of it any more: its clock stands still.
        const stopped = { now: () => clock.now(), sleep: () => never }
        void queue(client, { ...options, clock: stopped, maxAttempts: 2 }).work(() => never)
        await clock.sleep(4_000)
      }
      await open(3).work(async () => {}, untilEmpty)
      const [letter] = await open(4).deadLetters()
      expect(letter?.reason).toContain('Its worker ended, or was not heard of, in the last of 2 attempts.')
    })
  })

  it('passes the operation of a worker that is not heard of to another, and the first can end it no more', async () => {
    const { clock, client, open } = await engineWith()
    await clock.run(async () => {
      await open(1).enqueue({ n: 1 })
      const signals: AbortSignal[] = []
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      // It sends no heartbeats: its network is gone.
      const cut = queue<{ n: number }>(
        cutOff(client, () => signals.length === 1),
        { ...options, clock, random: new SeededRandom(7), timeout: 0 },
      )
      const stop = new AbortController()
      const first = cut.work(
        async ({ signal }) => {
          signals.push(signal)
          await held
          return [count('first')]
        },
        { signal: stop.signal },
      )
      await clock.sleep(5_000)
      const report = await open(2).work(async ({ attempt }) => [count(`second ${attempt}`)], untilEmpty)
      expect(report).toMatchObject({ done: 1 })
      signals.push(AbortSignal.abort())
      release()
      stop.abort()
      expect(await first).toMatchObject({ done: 0, dead: 0 })
      expect(await ledger(client)).toEqual({ 'second 2': 1 })
    })
  })

  it('keeps a long operation by its heartbeats', async () => {
    const { clock, client, open } = await engineWith(0.05)
    await clock.run(async () => {
      await open(1).enqueue({ n: 1 })
      const long = async ({ attempt }: { attempt: number }) => {
        await clock.sleep(30_000)
        return [count(`attempt ${attempt}`)]
      }
      const reports = await Promise.all([
        open(2).work(long, untilEmpty),
        clock.sleep(10_000).then(() => open(3).work(long, untilEmpty)),
      ])
      expect(reports.map(({ done }) => done)).toEqual([1, 0])
      expect(await ledger(client)).toEqual({ 'attempt 1': 1 })
    })
  })

  it('stops when it is told to: it finishes what ends in time, and gives the rest back at once', async () => {
    const { clock, client, open } = await engineWith()
    await clock.run(async () => {
      const jobs = open(1)
      for (const n of [100, 60_000]) await jobs.enqueue({ n }, { key: `${n}` })
      const stop = new AbortController()
      const handler = async ({ payload: { n } }: { payload: { n: number } }) => {
        await clock.sleep(n)
        return [count(`job-${n}`)]
      }
      const work = jobs.work(handler, {
        concurrency: 2,
        signal: stop.signal,
        stopTimeout: '1s',
        pollInterval: '1h',
      })
      await clock.sleep(50)
      const from = clock.now()
      stop.abort()
      expect(await work).toEqual({ done: 1, failed: 0, dead: 0, returned: 1 })
      expect(clock.now() - from).toBeLessThan(1_100)
      expect(await ledger(client)).toEqual({ 'job-100': 1 })
      // At once, and it does not count as an attempt.
      await open(2).work(async ({ payload: { n }, attempt }) => [count(`job-${n}, ${attempt}`)], untilEmpty)
      await clock.sleep(100_000)
      expect(await ledger(client)).toEqual({ 'job-100': 1, 'job-60000, 1': 1 })
    })
  })

  it('has many operations in progress without a warning of listeners that leak', async () => {
    const { clock, open } = await engineWith()
    const warnings: string[] = []
    const onWarning = ({ name }: Error) => warnings.push(name)
    process.on('warning', onWarning)
    await clock.run(async () => {
      const jobs = open(1)
      await Promise.all(numbered(20).map((n) => jobs.enqueue({ n })))
      const report = await jobs.work(async () => clock.sleep(1_000), { concurrency: 20, untilEmpty: true })
      expect(report.done).toBe(20)
    })
    await new Promise(setImmediate)
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })

  it('is not empty while its index shows operations that are done in front of those that are due', async () => {
    const { clock, network } = await patternEngine(tables, {
      throttle: false,
      propagation: { indexLagMilliseconds: 5_000 },
    })
    await clock.run(async () => {
      const given = { ...options, shards: 1, clock, random: new SeededRandom(1) }
      const jobs = queue<{ n: number }>(network(1, 0), given)
      await Promise.all(numbered(150).map((n) => jobs.enqueue({ n })))
      await clock.sleep(10_000)
      const report = await jobs.work(async () => {}, { concurrency: 50, untilEmpty: true })
      expect(report).toEqual({ done: 150, failed: 0, dead: 0, returned: 0 })
    })
  })

  it('is not empty while an operation of an entity follows one that is done, and its index does not show it yet', async () => {
    const { clock, network } = await patternEngine(tables, {
      throttle: false,
      propagation: { indexLagMilliseconds: 1_000 },
    })
    await clock.run(async () => {
      const jobs = queue<{ n: number }>(network(1, 0), { ...options, clock, random: new SeededRandom(1) })
      for (const n of numbered(12)) await jobs.enqueue({ n }, { entity: 'e' })
      await clock.sleep(10_000)
      let last = 0
      const handler = async () => {
        last = clock.now()
      }
      expect(await jobs.work(handler, untilEmpty)).toMatchObject({ done: 12 })
      // Nothing follows the last one.
      expect(clock.now() - last).toBeLessThan(3_000)
    })
  })

  it('begins an operation no earlier than it may', async () => {
    const { clock, open } = await engineWith()
    await clock.run(async () => {
      const jobs = open(1)
      await jobs.enqueue({ n: 1 }, { delay: '1m', entity: 'e' })
      await jobs.enqueue({ n: 2 }, { delay: '2m', entity: 'e' })
      expect(await jobs.work(async () => {}, untilEmpty)).toMatchObject({ done: 0 })
      expect(await jobs.stats()).toMatchObject({ due: 0, later: 1, oldestDueMilliseconds: 0 })
      await clock.sleep(90_000)
      expect(await jobs.stats()).toMatchObject({ due: 1, later: 0 })
      expect(await jobs.work(async () => {}, untilEmpty)).toMatchObject({ done: 1 })
      await clock.sleep(60_000)
      expect(await jobs.work(async () => {}, untilEmpty)).toMatchObject({ done: 1 })
    })
  })

  it('is enqueued to by a transaction of the caller, which may fail', async () => {
    const { clock, client } = await engineWith()
    await clock.run(async () => {
      const jobs = queue<{ n: number }>(client, { ...options, clock })
      const document = DynamoDBDocumentClient.from(client)
      const documentJobs = queue<{ n: number }>(document, { ...options, clock })
      const order = (entry: string) => ({
        Put: {
          TableName: 'ledger',
          Item: { entry: { S: entry } },
          ConditionExpression: 'attribute_not_exists(entry)',
        },
      })
      for (const entity of [undefined, 'e']) {
        const more = entity === undefined ? {} : { entity }
        const first = await jobs.prepare({ n: 1 }, { key: `first ${entity}`, ...more })
        await client.send(
          new TransactWriteItemsCommand({ TransactItems: [...first.actions, order(`order ${entity}`)] }),
        )
        const again = await jobs.prepare({ n: 1 }, { key: `second ${entity}`, ...more })
        const failing = client.send(
          new TransactWriteItemsCommand({ TransactItems: [...again.actions, order(`order ${entity}`)] }),
        )
        await expect(failing).rejects.toMatchObject({ name: 'TransactionCanceledException' })
        const { actions } = await documentJobs.prepare({ n: 3 }, { key: `third ${entity}`, ...more })
        await document.send(new TransactWriteCommand({ TransactItems: actions }))
      }
      const seen: string[] = []
      await documentJobs.work(async ({ id }) => {
        seen.push(id)
        return [{ Put: { TableName: 'ledger', Item: { entry: `done ${id}`, applied: 1 } } }]
      }, untilEmpty)
      expect(seen.sort()).toEqual(['first e', 'first undefined', 'third e', 'third undefined'])
      expect((await ledger(client))['done third e']).toBe(1)
    })
  })

  it('fails an attempt whose own writes are refused, and does none of them', async () => {
    const { clock, client, open } = await engineWith(0, { maxAttempts: 2 })
    await clock.run(async () => {
      await open(1).enqueue({ n: 1 }, { key: 'a' })
      const refused = {
        ConditionCheck: {
          TableName: 'ledger',
          Key: { entry: { S: 'none' } },
          ConditionExpression: 'attribute_exists(entry)',
        },
      }
      const stop = new AbortController()
      const work = open(2).work(async () => [count('job'), refused], { signal: stop.signal })
      await clock.sleep(20_000)
      stop.abort()
      expect(await work).toMatchObject({ done: 0, failed: 2, dead: 1 })
      expect(await ledger(client)).toEqual({})
      expect((await open(3).deadLetters())[0]?.reason).toContain('TransactionCanceledException')
      const read = { TableName: 'jobs', Key: { id: { S: 'queue#a' } } }
      expect((await client.send(new GetItemCommand(read))).Item).toMatchObject({
        pending: { S: 'queue#dead' },
      })
    })
  })
})

describe('the statistics of a queue', () => {
  it('count up to 1,000 entries of a kind in a shard, say that there may be more, and cost what the guide says', async () => {
    const { clock, client } = await engineWith()
    await clock.run(async () => {
      const jobs = queue<number>(client, { ...options, shards: 1, clock })
      await Promise.all(numbered(999).map((n) => jobs.enqueue(n)))
      expect(await jobs.stats()).toMatchObject({ due: 999, later: 0, isExact: true })
      await Promise.all([jobs.enqueue(999), jobs.enqueue(1_000)])
      expect(await jobs.stats()).toMatchObject({ due: 1_000, later: 0, isExact: false })
      await Promise.all(numbered(1_001).map((n) => jobs.enqueue(n, { delay: '1h' })))
      const queries = countUnits(client)
      expect(await jobs.stats()).toMatchObject({ due: 1_000, later: 1_000, isExact: false })
      // The third one counts the dead letters.
      expect(queries.units).toHaveLength(3)
      const units = (queries.units[0] ?? 0) + (queries.units[1] ?? 0)
      const guide = readFileSync(new URL('../../../../../docs/queue.md', import.meta.url), 'utf8')
      expect(guide).toContain(`2 requests and ${units} read units for each shard`)
    })
  })
})

/** The read units of each query from now on. */
function countUnits(client: DynamoDBClient): { readonly units: readonly number[] } {
  const units: number[] = []
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next({
        ...args,
        input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } as never,
      })
      const { ConsumedCapacity } = result.output as QueryCommandOutput
      units.push(ConsumedCapacity?.CapacityUnits ?? 0)
      return result
    },
    { step: 'initialize', name: 'countUnits' },
  )
  return { units }
}

describe('a queue stands', () => {
  const sharded = {
    partitionKey: 'id',
    sortKey: 'part',
    suffix: 'calculated' as const,
    shards: fixedShards(3),
  }

  it.each([
    ['on a document client', (client: never) => DynamoDBDocumentClient.from(client)],
    ['in a sharded table', (client: never) => isotherm(client, { tables: { jobs: sharded } })],
    [
      'on a client of parts',
      (client: never) =>
        core.isotherm(client, {
          parts: [core.items, core.batches, core.indexes, core.queries, core.transactions],
          tables: { jobs: { ...sharded, suffix: core.calculated() } },
        }),
    ],
  ])('%s', async (_where, wrap) => {
    const shape = { ...options, sortKey: 'part' }
    const { clock, client } = await patternEngine([new CreateTableCommand(queueTable(shape))], {
      throttle: false,
    })
    await clock.run(async () => {
      const jobs = queue<number>(wrap(client as never), { ...shape, clock, maxAttempts: 1 })
      for (const n of numbered(5)) await jobs.enqueue(n, { key: `${n}`, entity: 'e' })
      const seen: number[] = []
      for (const _ of numbered(5)) {
        await jobs.work(async ({ payload }) => {
          if (payload === 3) throw new Error('poison')
          seen.push(payload)
        }, untilEmpty)
      }
      expect(seen).toEqual([0, 1, 2, 4])
      expect((await jobs.deadLetters()).map(({ payload }) => payload)).toEqual([3])
      await jobs.redrive('3')
      expect(await jobs.stats()).toMatchObject({ due: 1, later: 0, dead: 0 })
    })
  })
})

describe('what is wrong with a queue is said, and nothing is written', () => {
  it.each([
    [{ ...options, lease: 'long' }, 'queue.lease is "long"; it must be a duration'],
    [{ ...options, maxAttempts: 0 }, 'queue.maxAttempts is 0; it must be a whole number from 1 to 1000.'],
    [{ ...options, name: 'a#b' }, 'queue.name is "a#b"; it must be text without #'],
    [{ ...options, workers: 5 }, 'queue.workers is not an option of this version; known are table,'],
  ])('in its options: %o', async (given, message) => {
    const { client } = await engineWith()
    expect(() => queue(client, given as never)).toThrow(message)
    expect(() => queueTable(given as never)).toThrow(IsothermError)
  })

  it('in a call', async () => {
    const { clock, client } = await engineWith()
    await clock.run(async () => {
      const jobs = queue<unknown>(client, { ...options, clock })
      await expect(jobs.enqueue(undefined)).rejects.toThrow(
        'the payload is undefined; it must be a value that JSON can represent',
      )
      await expect(jobs.enqueue(1n)).rejects.toThrow('a value that JSON can represent')
      await expect(jobs.enqueue('x'.repeat(400_000))).rejects.toThrow(
        'the payload is "400002 bytes of JSON"; it must be at most 399360 bytes',
      )
      await expect(jobs.prepare('x'.repeat(400_000))).rejects.toThrow('at most 399360 bytes')
      await expect(jobs.enqueue(1, { key: '' })).rejects.toThrow(
        'queue.enqueue.key is ""; it must be text of 1 to 512 bytes',
      )
      await expect(jobs.enqueue(1, { key: 'isotherm#x' })).rejects.toThrow(
        'text that does not begin with isotherm#',
      )
      await expect(jobs.enqueue(1, { dely: 5 } as never)).rejects.toThrow(
        'queue.enqueue.dely is not an option',
      )
      await expect(jobs.work('x' as never)).rejects.toThrow('queue.work is "x"; it must be a handler')
      await expect(jobs.work(async () => {}, { concurrency: 0 })).rejects.toThrow(
        'queue.work.concurrency is 0',
      )
      await expect(jobs.deadLetters(0)).rejects.toThrow('queue.deadLetters is 0')
      expect((await client.send(new ScanCommand({ TableName: 'jobs' }))).Count).toBe(0)
    })
  })

  it('in a table that does not exist, by the work that it does', async () => {
    const { clock, client } = await engineWith()
    await clock.run(async () => {
      const work = queue(client, { ...options, table: 'none', clock }).work(async () => {}, untilEmpty)
      await expect(work).rejects.toMatchObject({ code: 'table.missing' })
    })
  })
})

/** A client whose requests fail while it is cut off. */
function cutOff(client: DynamoDBClient, isCut: () => boolean): DynamoDBClient {
  const send = (command: never) =>
    isCut()
      ? Promise.reject(Object.assign(new Error('No network.'), { name: 'TimeoutError' }))
      : client.send(command)
  return Object.create(client, { send: { value: send } })
}
