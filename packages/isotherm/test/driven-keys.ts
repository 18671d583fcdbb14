import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import type { IsothermEvent } from '../src/events/event.js'
import { keyText, type LogicalKey } from '../src/keys/key.js'
import { Suffix } from '../src/keys/suffix.js'
import type { MovingTable } from '../src/protocol/moves/moving-table.js'
import { ShardMap, type ShardMapOptions } from '../src/protocol/shard-map/shard-map.js'
import type { ShardState } from '../src/protocol/states/shard-state.js'
import { operationOf } from '../src/sdk/operation.js'
import type { AnyCommand } from '../src/sdk/physical-client.js'
import { bareClient } from './fake-client.js'
import { FakeTables } from './fake-tables.js'

export const KEY = { S: 'k' } as LogicalKey
const CACHE_MILLISECONDS = 30_000
/** How long a phase lasts before its work begins. */
export const PHASE_MILLISECONDS = 35_000

/** The items of a shard map, without a table. */
class MemoryStates implements Pick<ShardMapOptions['store'], 'read' | 'replace'> {
  readonly #states = new Map<string, ShardState>()
  reads = 0
  /** The states that were written, with their times. */
  readonly writes: { readonly at: number; readonly state: ShardState }[] = []
  /** Called before a state is read or replaced. */
  before: (request: 'read' | 'replace', key: LogicalKey) => unknown = () => {}
  /** Called after a state was replaced, before the response arrives. */
  afterReplace: (key: LogicalKey) => unknown = () => {}
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  get(key = KEY): ShardState | undefined {
    return this.#states.get(keyText(key))
  }

  /** Writes a state as another process does. */
  set(state: ShardState, key = KEY): void {
    this.#states.set(keyText(key), state)
  }

  /** Removes the item of the key, as only a person does. */
  remove(key = KEY): void {
    this.#states.delete(keyText(key))
  }

  async read(key: LogicalKey): Promise<ShardState | undefined> {
    await this.before('read', key)
    this.reads += 1
    return this.get(key)
  }

  async replace(key: LogicalKey, seen: ShardState, next: ShardState): Promise<boolean> {
    await this.before('replace', key)
    if (this.get(key)?.lastUpdated !== seen.lastUpdated) return false
    this.set(next, key)
    this.writes.push({ at: this.#now(), state: next })
    await this.afterReplace(key)
    return true
  }
}

interface Shape {
  readonly suffix?: 'random' | 'calculated'
  readonly sortKey?: string | undefined
  readonly clock?: VirtualClock
}

/** The table `log` in memory, a shard map, and one process that completes changes of its keys. Nothing takes time unless a test says so. */
export function drivenKeys({ suffix = 'random', clock = new VirtualClock(), ...shape }: Shape = {}) {
  const sortKey = 'sortKey' in shape ? shape.sortKey : 'sk'
  const tables = new FakeTables().create('log', { partitionKey: 'pk', ...(sortKey && { sortKey }) })
  const states = new MemoryStates(() => clock.now())
  const events: IsothermEvent[] = []
  const failed: unknown[] = []
  const service = {
    tables,
    /** Called before each request is carried out. If it returns a promise, the request waits for it. */
    before: (_operation: string, _input: object): unknown => undefined,
  }
  const bare = bareClient(tables)
  const send = async (command: AnyCommand) => {
    await service.before(operationOf(command), command.input)
    return bare.send(command as never)
  }
  const openMap = () =>
    new ShardMap({
      store: states as unknown as ShardMapOptions['store'],
      clock,
      initial: 1,
      cacheMilliseconds: CACHE_MILLISECONDS,
      remembersMissing: true,
      growsAtOnce: suffix === 'random',
      onRead: () => {},
      onRefreshFailed: (error) => failed.push(error),
    })
  const shardMap = openMap()
  const table = {
    client: Object.create(bare, { send: { value: send } }),
    clock,
    random: new SeededRandom(1),
    options: {
      name: 'log',
      partitionKey: 'pk',
      sortKey,
      suffix: suffix === 'random' ? suffix : {},
      transactions: true,
      maxAttempts: 3,
      cacheMilliseconds: CACHE_MILLISECONDS,
      lateRequestMilliseconds: PHASE_MILLISECONDS - CACHE_MILLISECONDS,
      keysOfOneRegion: false,
    },
    placementKind: suffix,
    suffix: new Suffix('log', '_', false),
    views: shardMap,
    emit: (event: IsothermEvent) => events.push(event),
  } as unknown as MovingTable
  const seconds = () => Math.floor(clock.now() / 1_000)
  return {
    clock,
    states,
    service,
    shardMap,
    table,
    events,
    failed,
    /** The present second, for states that the test writes. */
    seconds,
    /** Stores an item in a shard. */
    put: (shard: number, sk: number, more: object = {}) =>
      void tables.execute('PutItem', {
        TableName: 'log',
        Item: { pk: { S: `k_${shard}` }, sk: { N: String(sk) }, ...more },
      }),
    /** The shards and the sort keys of all items, as in `2:17`. */
    places: () =>
      tables
        .items('log')
        .map(({ pk, sk }) => `${(pk as { S: string }).S.slice(2)}:${(sk as { N: string }).N}`),
  }
}
