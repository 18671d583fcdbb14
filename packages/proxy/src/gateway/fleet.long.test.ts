import { DynamoDBClient, PutItemCommand, paginateQuery, paginateScan } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { dynamicShards, ensureShardMap, type IsothermEvent, type IsothermOptions, isotherm } from 'isotherm'
import { describe, expect, it } from 'vitest'
import { Gateway } from './gateway.js'

const SECONDS = 45
/** Far above what one partition takes. */
const ITEM_UNITS = 20
const WRITES_PER_SECOND = 70

const never = new AbortController().signal

/** A writer and reader of the fleet: a proxy, or a process of the library. */
interface Member {
  put(at: number): Promise<void>
  read(): Promise<readonly number[]>
}

function itemAt(at: number) {
  return { doc: { S: '/sale' }, seq: { N: String(at) }, text: { S: 'x'.repeat(ITEM_UNITS * 1_024 - 200) } }
}

const QUERY = {
  TableName: 'log',
  KeyConditionExpression: 'doc = :d',
  ExpressionAttributeValues: { ':d': { S: '/sale' } },
  ProjectionExpression: 'seq',
  ConsistentRead: true,
}

function ofLibrary(client: DynamoDBClient, options: IsothermOptions): Member {
  const db = isotherm(client, options)
  return {
    put: async (at) => void (await db.send(new PutItemCommand({ TableName: 'log', Item: itemAt(at) }))),
    async read() {
      const found = []
      for await (const { Items = [] } of paginateQuery({ client: db }, { ...QUERY })) found.push(...Items)
      return found.map(({ seq }) => Number(seq?.N))
    },
  }
}

function ofProxy(client: DynamoDBClient, options: IsothermOptions, clock: VirtualClock): Member {
  const gateway = new Gateway({ client, options, clock })
  const ask = async (operation: string, input: object) => {
    const body = Buffer.from(JSON.stringify(input))
    const target = `DynamoDB_20120810.${operation}`
    const { answer, route, failure } = await gateway.execute({ target, headers: {}, body, text: body }, never)
    expect([route, failure]).toEqual(['sharded', undefined])
    const output = JSON.parse(answer.body.toString())
    if (answer.status !== 200) throw Object.assign(new Error(output.message), { name: output.__type })
    return output
  }
  return {
    put: (at) => ask('PutItem', { TableName: 'log', Item: itemAt(at) }),
    async read() {
      const found = []
      let ExclusiveStartKey: object | undefined
      do {
        const page = await ask('Query', { ...QUERY, ...(ExclusiveStartKey && { ExclusiveStartKey }) })
        found.push(...page.Items)
        ExclusiveStartKey = page.LastEvaluatedKey
      } while (ExclusiveStartKey !== undefined)
      return found.map(({ seq }) => Number(seq.N))
    },
  }
}

describe.each(['random', 'calculated'] as const)(
  'two proxies and a process of the library (%s suffix)',
  (suffix) => {
    it('share one shard map: a hot key grows once for all of them, and each reads what the others wrote', async () => {
      const clock = new VirtualClock()
      const local = createLocal({ clock, random: new SeededRandom(5) })
      const client = new DynamoDBClient(local.connection())
      const events: IsothermEvent[] = []
      const optionsOf = (seed: number): IsothermOptions => ({
        tables: { log: { partitionKey: 'doc', sortKey: 'seq', suffix, shards: dynamicShards() } },
        clock,
        random: new SeededRandom(seed),
        onEvent: (event) => events.push(event),
      })
      const acknowledged: number[] = []
      const refused: unknown[] = []
      await clock.run(async () => {
        await client.send(createTable('log', ['doc', 'seq:N']))
        await ensureShardMap(client, { table: 'log' })
        const members = [
          ofProxy(new DynamoDBClient(local.connection()), optionsOf(1), clock),
          ofProxy(new DynamoDBClient(local.connection()), optionsOf(2), clock),
          ofLibrary(new DynamoDBClient(local.connection()), optionsOf(3)),
        ]
        const writes: Promise<void>[] = []
        for (let at = 0; at < SECONDS * WRITES_PER_SECOND; at++) {
          const member = members[at % members.length] as Member
          writes.push(
            member.put(at).then(
              () => void acknowledged.push(at),
              (error: unknown) => void refused.push(error),
            ),
          )
          await clock.sleep(1_000 / WRITES_PER_SECOND)
        }
        await Promise.all(writes)
        const expected = acknowledged.toSorted((one, other) => one - other)
        for (const member of members) expect(await member.read()).toEqual(expected)
        const stored = new Set<string>()
        for await (const { Items = [] } of paginateScan({ client }, { TableName: 'log' })) {
          for (const { doc } of Items) stored.add(doc?.S ?? '')
        }
        expect(stored.size).toBeGreaterThan(2)
      })
      expect(acknowledged.length + refused.length).toBe(SECONDS * WRITES_PER_SECOND)
      expect(acknowledged.length).toBeGreaterThan(0.7 * SECONDS * WRITES_PER_SECOND)
      const growths = events.filter((event) => event.type === 'scaled')
      // Each growth is one process's, however many of them were throttled.
      const counts = growths.map(({ to }) => to)
      expect(counts.length).toBeGreaterThan(0)
      expect(new Set(counts).size).toBe(counts.length)
      await local.close()
    })
  },
)
