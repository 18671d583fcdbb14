import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal, type Local } from '@isotherm/local'
import { randomInteger, SeededRandom, VirtualClock } from '@isotherm/runtime'
import { dynamicShards, ensureShardMap, type IsothermEvent, type IsothermOptions } from 'isotherm'
import { type Member, ofLibrary, ofProxy } from './fleet-member.fixture.js'
import { UnreliableLink } from './unreliable-link.fixture.js'
import { WriteOutcomes } from './write-outcomes.fixture.js'

export const PROXIES = 6
export const PROCESSES = 3
/** With 80 writes a second more than one partition takes, and less than the four partitions of a new table. */
const ITEM_UNITS = 24
const FAULTS = { lostRequests: 0.01, lostReplies: 0.02 }

interface Running {
  readonly member: Member
  readonly link: UnreliableLink
  /** Writes that it has not answered. */
  readonly underWay: Set<number>
}

/** Proxies and processes that write to one hot key, each over an unreliable network. All of them are restarted now and then. */
export class UnreliableFleet {
  readonly clock = new VirtualClock()
  readonly outcomes = new WriteOutcomes()
  readonly events: IsothermEvent[] = []
  readonly local: Local
  /** How many writes were not answered because their process was ended. */
  cutOff = 0
  readonly #random: SeededRandom
  readonly #suffix: 'random' | 'calculated'
  readonly #links: UnreliableLink[] = []
  readonly #members: Running[] = []
  /** The place of the member that changes the count of the key. */
  #changing: number | undefined

  constructor(suffix: 'random' | 'calculated', seed: number) {
    this.#suffix = suffix
    this.#random = new SeededRandom(seed)
    this.local = createLocal({ clock: this.clock, random: new SeededRandom(seed + 1) })
  }

  async start(): Promise<void> {
    const direct = new DynamoDBClient(this.local.connection())
    await direct.send(createTable('log', ['doc', 'seq:N']))
    await ensureShardMap(direct, { table: 'log' })
    for (let place = 0; place < PROXIES + PROCESSES; place++) this.#members.push(this.#started(place))
  }

  get members(): readonly Member[] {
    return this.#members.map(({ member }) => member)
  }

  /** How many attempts the network has lost. */
  lost(kind: 'requests' | 'replies'): number {
    return this.#links.reduce((sum, link) => sum + link.lost[kind], 0)
  }

  /**
   * Ends a member in the middle of what it does. One that knows nothing takes its place. The member that changes the count is
   * spared, or else comes first.
   */
  restart(changing: 'spared' | 'first'): void {
    const drawn = randomInteger(this.#random, 0, this.#members.length - 1)
    if (drawn === this.#changing && changing === 'spared') return
    const place = changing === 'first' ? (this.#changing ?? drawn) : drawn
    if (place === this.#changing) this.#changing = undefined
    const { link, member, underWay } = this.#members[place] as Running
    this.cutOff += underWay.size
    link.cut()
    member.db.destroy()
    this.#members[place] = this.#started(place)
  }

  #started(place: number): Running {
    const seed = randomInteger(this.#random, 0, 1_000_000)
    const link = new UnreliableLink(this.local.connection(), this.clock, new SeededRandom(seed), FAULTS)
    this.#links.push(link)
    const client = new DynamoDBClient(link.connection())
    const options: IsothermOptions = {
      tables: {
        log: { partitionKey: 'doc', sortKey: 'seq', suffix: this.#suffix, shards: dynamicShards() },
      },
      clock: this.clock,
      random: new SeededRandom(seed + 1),
      onEvent: (event) => {
        this.events.push(event)
        if (event.type === 'announced') this.#changing ??= place
      },
    }
    const member =
      place < PROXIES
        ? ofProxy(client, options, this.clock, ITEM_UNITS)
        : ofLibrary(client, options, ITEM_UNITS)
    return { member, link, underWay: new Set() }
  }

  async put(at: number): Promise<void> {
    const { member, underWay } = this.#drawn()
    underWay.add(at)
    this.outcomes.begun(at, this.clock.now())
    try {
      await member.put(at)
      this.outcomes.acknowledged.add(at)
    } catch (error) {
      this.outcomes.failed(at, error)
    } finally {
      underWay.delete(at)
    }
  }

  /** @returns what a member found, and what was acknowledged before it was asked; `undefined` if the read failed */
  async read(): Promise<
    { readonly found: readonly number[]; readonly before: readonly number[] } | undefined
  > {
    const before = [...this.outcomes.acknowledged]
    try {
      return { found: await this.#drawn().member.read(), before }
    } catch (error) {
      this.outcomes.readFailed(error)
      return undefined
    }
  }

  #drawn(): Running {
    return this.#members[randomInteger(this.#random, 0, this.#members.length - 1)] as Running
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
