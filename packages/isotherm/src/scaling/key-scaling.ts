import { boundedClient } from '../attempts/bounded-client.js'
import {
  dynamicSettings,
  isPhaseDue,
  itemsCheck,
  phaseMilliseconds,
  ShardMap,
  type ShardMapOptions,
  ShardMapStore,
  TableCardStore,
  TableCards,
  ViewsInOutage,
} from '../protocol/index.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import { CountChanger } from './count-changer.js'
import type { ReadGrowth } from './grow-by-reads.js'
import { GrowthDecision } from './growth-decision.js'
import type { CountsOpening, KeyCounts } from './key-counts.js'
import { QuietWatch } from './quiet-watch.js'
import { Scaler } from './scaler.js'
import type { ScalingOptions } from './scaling-options.js'
import { countedViews, FanOutReads } from './sensing/fan-out-reads.js'

/** Opens the shard map of a table, and the components that change its counts. */
export function openKeyScaling(
  opening: CountsOpening,
  shards: ScalingOptions & { readonly reads: ReadGrowth | undefined },
): KeyCounts {
  const { heat, signal, onFailed, openRebalancer } = opening
  const { clock, random, emit, options } = opening.table
  // Nothing that waits for the shard map waits for ever: neither a request, nor the growth of a key.
  const client = boundedClient(opening.table.client, clock)
  const store = new ShardMapStore({ ...opening.table, client })
  const cards = opening.hasCard ? openCards(opening, shards, { store, client }) : undefined
  const shardMap = openShardMap(opening, shards, { store, cards }, (key, state, inUse) => {
    rebalancer?.noticed(key, state, inUse)
    quietWatch?.noticed(key, state)
  })
  const table = { ...opening.table, views: shardMap }
  const rebalancer = openRebalancer?.({ table, shards, shardMap, cards, store, signal, onFailed })
  const changer = new CountChanger({ ...table, client }, shardMap, rebalancer)
  const failed = (error: unknown) => onFailed('scale', error)
  const { placementKind } = table
  const both = { shards, store, heat, clock, random, signal, placementKind, onFailed: failed }
  const decision = new GrowthDecision({ ...both, table: options.name, shardMap, changer, emit })
  const { cacheMilliseconds } = options
  const scaler = new Scaler({ ...both, shardMap, decision, cacheMilliseconds })
  const readGrower = shards.reads?.open({
    ...both,
    table: options.name,
    shardMap,
    changer,
    emit,
    cacheMilliseconds,
    reads: opening.readHeat,
  })
  const { quietMilliseconds } = shards
  const reads = new FanOutReads()
  const quietWatch =
    quietMilliseconds === undefined
      ? undefined
      : new QuietWatch({
          ...both,
          heat: readGrower?.heatWith(heat) ?? heat,
          reads,
          quietMilliseconds,
          readMilliseconds: cacheMilliseconds / 2,
          onQuiet: rebalancer && ((key) => rebalancer.shrink(key)),
        })
  const views = new ViewsInOutage({
    table: options,
    clock,
    random,
    emit,
    isRandom: placementKind === 'random',
    views: shardMap,
  })
  return {
    views:
      quietWatch === undefined
        ? views
        : countedViews(views, reads, { initial: shards.initial, placementKind: table.placementKind }),
    throttled: (key, throttle) => scaler.consider(key, throttle),
    readThrottled: readGrower?.throttled,
    byHand: (key) => rebalancer?.byHand(key),
    migratable: rebalancer?.migratable,
  }
}

function openCards(
  { table, onFailed }: CountsOpening,
  { initial, quietMilliseconds }: ScalingOptions,
  { store, client }: { readonly store: ShardMapStore; readonly client: PhysicalClient },
): TableCards {
  const { clock, options } = table
  const check = itemsCheck(table, (error) => onFailed('sample-table', error))
  const requireItems = async (isEmpty: boolean) => {
    if (!options.checkItems) return
    await check({
      shards: 'dynamicShards',
      count: initial,
      stateOf: isEmpty ? undefined : (key) => store.read(key),
    })
  }
  return new TableCards({
    table: options,
    store: new TableCardStore({
      ...table,
      client,
      requireItems,
      counts: { mayFall: quietMilliseconds !== undefined },
    }),
    clock,
    settings: dynamicSettings(options, initial),
    onRefreshFailed: (error) => onFailed('refresh-shard-map', error),
  })
}

function openShardMap(
  { table, hasCard, onFailed, openSharedStates }: CountsOpening,
  { initial }: ScalingOptions,
  { store, cards }: { readonly store: ShardMapStore; readonly cards: TableCards | undefined },
  onRead: ShardMapOptions['onRead'],
): ShardMap {
  const { clock, options, placementKind } = table
  const isRandom = placementKind === 'random'
  const onRefreshFailed = (error: unknown) => onFailed('refresh-shard-map', error)
  return new ShardMap({
    store,
    clock,
    initial,
    cards,
    cacheMilliseconds: options.cacheMilliseconds,
    isPhaseDue: isRandom ? undefined : (state) => isPhaseDue(state, clock.now(), phaseMilliseconds(options)),
    remembersMissing: isRandom || hasCard,
    growsAtOnce: isRandom,
    // The phases of a calculated key must not depend on wall clocks, but the age of shared cache entries does.
    shared: isRandom
      ? openSharedStates?.({
          table: options,
          clock,
          made: () => cards?.peek()?.made,
          onFailed: (error) => onFailed('second-level-cache', error),
        })
      : undefined,
    onRead,
    onRefreshFailed,
  })
}
