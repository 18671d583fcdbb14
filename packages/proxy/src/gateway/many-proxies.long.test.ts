import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal, type Local } from '@isotherm/local'
import { randomInteger, SeededRandom, VirtualClock } from '@isotherm/runtime'
import { dynamicShards, ensureShardMap, type IsothermEvent, type IsothermOptions } from 'isotherm'
import { describe, expect, inject, it } from 'vitest'
import { HOT_KEY, type Member, ofLibrary, ofProxy } from './fleet-member.fixture.js'
import { UnreliableLink } from './unreliable-link.fixture.js'

const PROXIES = 6
const PROCESSES = 3
const SECONDS = 20
/** More than one partition takes, and less than the four partitions of a new table. */
const ITEM_UNITS = 24
const WRITES_PER_SECOND = 80
const WRITES = SECONDS * WRITES_PER_SECOND
const RESTART_EVERY = 150
const READ_EVERY = 250
const FAULTS = { lostRequests: 0.01, lostReplies: 0.02 }
/** A change of a count, with all its waits, is over by then. */
const SETTLED_MILLISECONDS = 300_000
/** It takes a minute where nothing else runs. */
const TIMEOUT_MILLISECONDS = 600_000

type Suffix = 'random' | 'calculated'

/** Members of a fleet, each behind a link of its own, and what they said of their writes. */
class Fleet {
  readonly clock = new VirtualClock()
  readonly random: SeededRandom
  readonly local: Local
  readonly acknowledged = new Set<number>()
  readonly unknown = new Set<number>()
  readonly events: IsothermEvent[] = []
  readonly links: UnreliableLink[] = []
  readonly #suffix: Suffix
  readonly #members: { readonly member: Member; readonly link: UnreliableLink }[] = []

  constructor(suffix: Suffix, seed: number) {
    this.#suffix = suffix
    this.random = new SeededRandom(seed)
    this.local = createLocal({ clock: this.clock, random: new SeededRandom(seed + 1) })
  }

  start(): void {
    for (let at = 0; at < PROXIES + PROCESSES; at++) this.#members.push(this.#member(at))
  }

  get members(): readonly Member[] {
    return this.#members.map(({ member }) => member)
  }

  drawn(): Member {
    return this.members[randomInteger(this.random, 0, this.#members.length - 1)] as Member
  }

  /** Ends a member in the middle of what it does. One that knows nothing takes its place. */
  restart(): void {
    const at = randomInteger(this.random, 0, this.#members.length - 1)
    const ended = this.#members[at]
    ended?.link.cut()
    ended?.member.db.destroy()
    this.#members[at] = this.#member(at)
  }

  #member(at: number) {
    const seed = randomInteger(this.random, 0, 1_000_000)
    const link = new UnreliableLink(this.local.connection(), this.clock, new SeededRandom(seed), FAULTS)
    this.links.push(link)
    const client = new DynamoDBClient(link.connection())
    const options: IsothermOptions = {
      tables: {
        log: { partitionKey: 'doc', sortKey: 'seq', suffix: this.#suffix, shards: dynamicShards() },
      },
      clock: this.clock,
      random: new SeededRandom(seed + 1),
      onEvent: (event) => this.events.push(event),
    }
    const isProxy = at < PROXIES
    const member = isProxy
      ? ofProxy(client, options, this.clock, ITEM_UNITS)
      : ofLibrary(client, options, ITEM_UNITS)
    return { member, link }
  }

  async put(at: number): Promise<void> {
    try {
      await this.drawn().put(at)
      this.acknowledged.add(at)
    } catch {
      this.unknown.add(at)
    }
  }

  /** A read while the fleet writes: nothing that was acknowledged before is hidden, and nothing is there twice. */
  async check(): Promise<boolean> {
    const before = [...this.acknowledged]
    const found = await this.drawn()
      .read()
      .catch(() => undefined)
    if (found === undefined) return false
    const once = new Set(found)
    expect(found.length).toBe(once.size)
    expect(before.filter((at) => !once.has(at))).toEqual([])
    return true
  }

  /** What the engine stores, under any physical key. */
  async stored(): Promise<{ readonly items: readonly number[]; readonly keys: number }> {
    const items: number[] = []
    const keys = new Set<string>()
    const client = new DynamoDBClient(this.local.connection())
    for await (const { Items = [] } of paginateScan({ client }, { TableName: 'log' })) {
      for (const { doc, seq, text } of Items) {
        // Items of the library have no text.
        if (text === undefined) continue
        items.push(Number(seq?.N))
        keys.add(doc?.S ?? '')
      }
    }
    return { items: items.toSorted((one, other) => one - other), keys: keys.size }
  }
}

describe.each(['random', 'calculated'] as const)(
  `${PROXIES} proxies and ${PROCESSES} processes (%s suffix)`,
  (suffix) => {
    it(
      'lose, double and hide nothing, with lost answers and restarts, and agree about the count',
      async () => {
        const fleet = new Fleet(suffix, inject('seed'))
        const { clock } = fleet
        await clock.run(async () => {
          const direct = new DynamoDBClient(fleet.local.connection())
          await direct.send(createTable('log', ['doc', 'seq:N']))
          await ensureShardMap(direct, { table: 'log' })
          fleet.start()
          const pending: Promise<unknown>[] = []
          const checks: Promise<boolean>[] = []
          for (let at = 0; at < WRITES; at++) {
            pending.push(fleet.put(at))
            if (at % RESTART_EVERY === RESTART_EVERY - 1) fleet.restart()
            if (at % READ_EVERY === READ_EVERY - 1) checks.push(fleet.check())
            await clock.sleep(1_000 / WRITES_PER_SECOND)
          }
          await Promise.all(pending)
          expect((await Promise.all(checks)).filter(Boolean).length).toBeGreaterThan(checks.length / 2)
          await clock.sleep(SETTLED_MILLISECONDS)

          const { items, keys } = await fleet.stored()
          expect(items.length).toBe(new Set(items).size)
          const there = new Set(items)
          expect([...fleet.acknowledged].filter((at) => !there.has(at))).toEqual([])
          expect(items.filter((at) => !fleet.acknowledged.has(at) && !fleet.unknown.has(at))).toEqual([])
          expect(keys).toBeGreaterThan(2)
          for (const member of fleet.members) {
            // The network still loses requests, so a read may need another try.
            const found = await member.read().catch(() => member.read())
            expect(found).toEqual(items)
          }
          const counts = await Promise.all(
            fleet.members.map(({ db }) => {
              const shards = db.shards('log', HOT_KEY)
              return shards.read().catch(() => shards.read())
            }),
          )
          expect(new Set(counts.map((count) => JSON.stringify(count))).size).toBe(1)
          expect(counts[0]).toBeDefined()
        })
        expect(fleet.acknowledged.size + fleet.unknown.size).toBe(WRITES)
        expect(fleet.acknowledged.size).toBeGreaterThan(0.3 * WRITES)
        const lost = (kind: 'requests' | 'replies') =>
          fleet.links.reduce((sum, link) => sum + link.lost[kind], 0)
        expect(lost('requests')).toBeGreaterThan(5)
        expect(lost('replies')).toBeGreaterThan(10)
        expect(fleet.events.filter((event) => event.type === 'scaled').length).toBeGreaterThan(0)
        await fleet.local.close()
      },
      TIMEOUT_MILLISECONDS,
    )
  },
)
