import { readFileSync } from 'node:fs'
import { CreateTableCommand, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { queue, queueTable } from './index.js'
import { OWN_ATTRIBUTES } from './queue-items.js'

const options = { table: 'jobs', partitionKey: 'id', sortKey: 'part' } as const
const untilEmpty = { untilEmpty: true } as const

async function engineWith() {
  const engine = await patternEngine([new CreateTableCommand(queueTable(options))], { throttle: false })
  const { clock, client } = engine
  const given = { ...options, clock, random: new SeededRandom(1) }
  return { ...engine, given, jobs: queue<unknown>(client, given) }
}

const attributesIn = async (client: DynamoDBClient) =>
  ((await client.send(new ScanCommand({ TableName: 'jobs' }))).Items ?? []).flatMap((item) =>
    Object.keys(item),
  )

describe('the names of attributes', () => {
  it.each([
    [{ partitionKey: 'payload' }, 'queue.partitionKey is "payload"', 'the queue itself'],
    [{ sortKey: 'entity' }, 'queue.sortKey is "entity"', 'the queue itself'],
    [{ indexKey: 'lease' }, 'queue.indexKey is "lease"', 'the queue itself'],
    [{ due: 'attempts' }, 'queue.due is "attempts"', 'the queue itself'],
    [{ ttlAttribute: 'ended_at' }, 'queue.ttlAttribute is "ended_at"', 'the queue itself'],
    [{ sortKey: 'id' }, 'queue.sortKey is "id"', 'queue.partitionKey'],
    [{ indexKey: 'part' }, 'queue.indexKey is "part"', 'queue.sortKey'],
    [{ due: 'pending' }, 'queue.due is "pending"', 'queue.indexKey'],
    [{ ttlAttribute: 'due' }, 'queue.ttlAttribute is "due"', 'queue.due'],
  ])('have one meaning each: %o', async (names, start, user) => {
    const { client } = await engineWith()
    const given = { ...options, ...names }
    const message = `${start}; it must be the name of another attribute; ${user} uses this one.`
    expect(() => queue(client, given)).toThrow(message)
    expect(() => queueTable(given)).toThrow(message)
  })

  it('that the queue uses itself are all known, also to the guide', async () => {
    const { clock, client, given } = await engineWith()
    await clock.run(async () => {
      const jobs = queue(client, { ...given, maxAttempts: 2 })
      const seen = new Set<string>()
      const look = async () => {
        for (const attribute of await attributesIn(client)) seen.add(attribute)
      }
      for (const key of ['a', 'b', 'c']) await jobs.enqueue(key, { key, entity: 'e', delay: '1s' })
      await clock.sleep(1_000)
      for (let times = 0; times < 8; times++) {
        await jobs.work(async ({ payload }) => {
          await look()
          if (payload === 'b') throw new Error('no')
        }, untilEmpty)
        await look()
        await clock.sleep(5_000)
      }
      await jobs.redrive('b')
      await look()
      const guide = readFileSync(new URL('../../../../../docs/queue.md', import.meta.url), 'utf8')
      for (const attribute of OWN_ATTRIBUTES) expect(guide).toContain(`\`${attribute}\``)
      const ofOptions = ['id', 'part', 'pending', 'due', 'expires_at']
      expect([...seen].sort()).toEqual([...ofOptions, ...OWN_ATTRIBUTES].sort())
    })
  })
})

describe('a name with half of a surrogate pair', () => {
  it('is refused, because it would be that of others', async () => {
    const { clock, client, given, jobs } = await engineWith()
    await clock.run(async () => {
      const rule = 'it must be text without half surrogate pairs'
      await expect(jobs.enqueue(1, { key: 'a\ud800' })).rejects.toThrow(rule)
      await expect(jobs.enqueue(1, { entity: '\udc00' })).rejects.toThrow(rule)
      await expect(jobs.redrive('\ud801')).rejects.toThrow(rule)
      expect(() => queue(client, { ...given, name: '\ud800' })).toThrow(rule)
      expect(await jobs.enqueue(1, { key: 'a😀' })).toEqual({ id: 'a😀', isNew: true })
    })
  })
})

describe('a payload that is no JSON', () => {
  it('is refused with the rule, also if it has no text', async () => {
    const { clock, jobs } = await engineWith()
    await clock.run(async () => {
      const bare = Object.assign(Object.create(null), { a: 1n })
      const rule = 'it must be a value that JSON can represent'
      for (const payload of [bare, { a: 1n }, 1n, Symbol('a')]) {
        await expect(jobs.enqueue(payload)).rejects.toMatchObject({ code: 'options.invalid' })
        await expect(jobs.enqueue(payload)).rejects.toThrow(rule)
      }
    })
  })
})
