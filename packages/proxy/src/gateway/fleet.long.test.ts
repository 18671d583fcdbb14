import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { dynamicShards, ensureShardMap, type IsothermEvent, type IsothermOptions } from 'isotherm'
import { describe, expect, it } from 'vitest'
import { type Member, ofLibrary, ofProxy } from './fleet-member.fixture.js'

const SECONDS = 45
/** Far above what one partition takes. */
const ITEM_UNITS = 20
const WRITES_PER_SECOND = 70
/** It takes half a minute where nothing else runs. */
const TIMEOUT_MILLISECONDS = 600_000

describe.each(['random', 'calculated'] as const)(
  'two proxies and a process of the library (%s suffix)',
  { timeout: TIMEOUT_MILLISECONDS },
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
          ofProxy(new DynamoDBClient(local.connection()), optionsOf(1), clock, ITEM_UNITS),
          ofProxy(new DynamoDBClient(local.connection()), optionsOf(2), clock, ITEM_UNITS),
          ofLibrary(new DynamoDBClient(local.connection()), optionsOf(3), ITEM_UNITS),
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
