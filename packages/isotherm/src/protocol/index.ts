/**
 * The interface of the protocol that changes shard counts. `README.md` in this folder describes the protocol. Except in tests, the
 * layers above import no other file of this folder.
 */

// Moves: the attributes of a marked item, and how its move is finished.
export { finishMove } from './moves/finish-move.js'
export { setsMark } from './moves/mark-item.js'
export { moveAhead } from './moves/move-ahead.js'
export { MOVE_ATTRIBUTES } from './moves/move-attributes.js'
export { type LeavingItem, moveItem } from './moves/move-item.js'
export { isMarkOfReplacement, markOfReplacement, readMoveName, readOrigins } from './moves/move-name.js'
export type { MovingTable } from './moves/moving-table.js'
export { isNoRoom } from './moves/no-room.js'
export type { StoredItem } from './moves/stored-item.js'
// Placement: where an item may be, in which order its places are read, and what a creation checks.
export { jump } from './placement/jump.js'
export { looksFor } from './placement/looks.js'
export { placeHash } from './placement/place-hash.js'
export { placesBesideHome } from './placement/placement.js'
export { placementIn } from './placement/placement-in.js'
export { homeAmong, possibleShards } from './placement/possible-shards.js'
export { readingStage } from './placement/reading-stage.js'
// The shard map, and the cache through which processes share it.
export {
  parseSecondLevelCache,
  type SecondLevelCacheOptions,
} from './second-level-cache/second-level-cache-options.js'
export type { ShardMapCache } from './second-level-cache/shard-map-cache.js'
export { type OpenSharedStates, SharedStates } from './second-level-cache/shared-states.js'
export { checkStored } from './shard-map/check-stored.js'
export type { CountedTable } from './shard-map/counted-table.js'
export { type EnsureShardMapOptions, ensureShardMap } from './shard-map/ensure-shard-map.js'
export { ShardMap, type ShardMapOptions } from './shard-map/shard-map.js'
export { type FleetUpdate, ShardMapStore } from './shard-map/shard-map-store.js'
export { ViewsInOutage } from './shard-map/views-in-outage.js'
// The state of a key, its steps, and the processes that may take them.
export { drain, move } from './states/calculated-count.js'
export {
  isAbandoned,
  isClaimed,
  isUnwritten,
  mayMoveItems,
  phaseMilliseconds,
  RENEW_MILLISECONDS,
  REPLICAS_MILLISECONDS,
  WATCH_MILLISECONDS,
} from './states/drive-rules.js'
export {
  type Diagnosis,
  type Growth,
  type HeatTotals,
  ITEM_HASHES,
  NO_HEAT,
  type QuietReads,
} from './states/fleet-signs.js'
export { historyEntry, loweredCounts } from './states/history.js'
export { beginInitial, growInitial } from './states/initial-count.js'
export { countChangedAt, isPhaseDue, later, silenceOf, wasScaled } from './states/pace.js'
export { resize } from './states/random-count.js'
export {
  type Announced,
  type AtRest,
  atRest,
  firstState,
  isChanging,
  isOwn,
  isUnfinished,
  type Moved,
  readableShards,
  repeatedState,
  type ShardState,
  sourceShards,
  targetCount,
  type Unfinished,
} from './states/shard-state.js'
// The view of a key that one request uses: how long it is valid, and which items may be moving.
export {
  fixedView,
  hasMoves,
  isConfirmed,
  isInTime,
  isPastCreations,
  mayMoveOnWrite,
  type ShardView,
  stayedInUse,
} from './states/shard-view.js'
export { fixedViews, type ShardViews } from './states/shard-views.js'
export { begin, complete, renew, requireOnePhaseApart } from './states/steps.js'
export { FLEET_ATTRIBUTES, SHARD_MAP_ATTRIBUTES } from './stored-state/shard-map-attributes.js'
export { fromAttributes, toAttributes } from './stored-state/shard-map-item.js'
// The card of a table: how it is sharded, and which keys have items in the shard map.
export { cardOf } from './table-card/card-item.js'
export { dynamicSettings } from './table-card/card-settings.js'
export type { InitialChange } from './table-card/card-updates.js'
export { describedTable } from './table-card/described-table.js'
export { fixedCheck } from './table-card/fixed-check.js'
export { requireCountsMayChange, requireSafeRegions } from './table-card/global-table.js'
export { itemsCheck } from './table-card/items-check.js'
export { guardedByMap } from './table-card/missing-shard-map.js'
export { CARD_KEY, keyLike, OWN_KEYS } from './table-card/own-keys.js'
export { rebuildCommand } from './table-card/rebuild-command.js'
export { type RebuildCheckpoint, RebuildMark, requireRebuildable } from './table-card/rebuilt-card.js'
export { requireItems } from './table-card/require-items.js'
export { isListed, type Migration } from './table-card/table-card.js'
export { TableCardStore } from './table-card/table-card-store.js'
export { type KnownCard, TableCards } from './table-card/table-cards.js'
export { TAKEN_KEY_NAMES } from './table-card/taken-key-names.js'
