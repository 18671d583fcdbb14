import { VirtualClock } from '@isotherm/runtime'
import { keyText, type LogicalKey } from '../src/keys/key.js'
import type { ShardedTable } from '../src/options/sharded-table.js'
import { ShardMap, type ShardMapOptions } from '../src/protocol/shard-map/shard-map.js'
import type { HeatTotals } from '../src/protocol/states/fleet-signs.js'
import { NO_HEAT } from '../src/protocol/states/fleet-signs.js'
import type { ShardState } from '../src/protocol/states/shard-state.js'
import type { TableCard } from '../src/protocol/table-card/table-card.js'
import { TableCards, type TableCardsOptions } from '../src/protocol/table-card/table-cards.js'
import { EMPTY_CARD } from './log-card.js'
import { MemoryShardMap } from './shared-map.js'

export const KEY = { S: 'k' } as LogicalKey
export const CACHE_MILLISECONDS = 30_000
export const START_SECONDS = 1_800_000_000

/** The card of a table, without a table. */
class MemoryCard {
  card: TableCard = EMPTY_CARD
  reads = 0
  readonly unlisted: string[] = []

  async find(): Promise<TableCard> {
    this.reads += 1
    return this.card
  }

  async read(): Promise<TableCard> {
    return this.find()
  }

  async list(key: LogicalKey, { listed }: TableCard, initialAsOf?: number): Promise<boolean> {
    if (initialAsOf !== undefined && initialAsOf !== this.card.initial.lastUpdated) return false
    this.change(listed === 'all' ? {} : { listed: new Set([...listed, keyText(key)]) })
    return true
  }

  async listAll(): Promise<boolean> {
    return false
  }

  async unlist(key: LogicalKey): Promise<void> {
    this.unlisted.push(keyText(key))
  }

  /** Changes the card as another process does. */
  change(members: Partial<TableCard>): void {
    this.card = { ...this.card, ...members, version: this.card.version + 1 }
  }
}

/** One item of a shard map that adds reports of heat, and counts the requests. */
class CountingShardMap extends MemoryShardMap {
  creations = 0
  reports = 0
  /** Called before a report is carried out. */
  beforeReport: (report: number) => void = () => {}
  /** Called before a replacement is carried out. */
  beforeReplace: (next: ShardState) => void = () => {}

  override create(key: LogicalKey, state: ShardState): Promise<ShardState> {
    this.creations += 1
    return super.create(key, state)
  }

  override async replace(key: LogicalKey, seen: ShardState, next: ShardState): Promise<boolean> {
    this.beforeReplace(next)
    return super.replace(key, seen, next)
  }

  override async report(
    _key?: LogicalKey,
    shards?: number,
    heat?: HeatTotals,
  ): Promise<ShardState | undefined> {
    this.reports += 1
    this.beforeReport(this.reports)
    const { state } = this
    if (state !== undefined && state.shards === shards && heat !== undefined) {
      this.state = { ...state, fleet: { lastBusy: 0, heat, lastGrowth: undefined } }
    }
    return this.state
  }
}

export const HEAT: HeatTotals = { ...NO_HEAT, offeredUnits: 90, acceptedUnits: 70, samples: 3 }

/** The shard map as one process sees it, and the requests that it has sent. */
export function openMap({
  hasCard = true,
  ...more
}: Partial<ShardMapOptions> & { readonly hasCard?: boolean } = {}) {
  const clock = new VirtualClock(START_SECONDS * 1_000)
  const store = new CountingShardMap()
  const near = new MemoryCard()
  const failed: unknown[] = []
  const seen: { readonly state: ShardState; readonly inUse: ShardState | undefined }[] = []
  const onRefreshFailed = (error: unknown) => void failed.push(error)
  const cards = new TableCards({
    table: { name: 'log', shardMap: 'log_shard_map', cacheMilliseconds: CACHE_MILLISECONDS } as ShardedTable,
    store: near as unknown as TableCardsOptions['store'],
    clock,
    settings: {},
    onRefreshFailed,
  })
  const shardMap = new ShardMap({
    store,
    clock,
    initial: 1,
    cacheMilliseconds: CACHE_MILLISECONDS,
    remembersMissing: true,
    growsAtOnce: true,
    onRead: (_key, state, inUse) => seen.push({ state, inUse }),
    onRefreshFailed,
    ...(hasCard ? { cards } : {}),
    ...more,
  })
  return { clock, store, near, cards, shardMap, failed, seen }
}
