/**
 * What the floors above may ask of the protocol that changes a count. `README.md` beside this file describes the protocol. Nothing
 * above imports any other file of this folder, but for tests.
 */

export { finishMove } from './moves/finish-move.js'
// Moves: what a marked item looks like, and how its move is finished.
export { MOVE_ATTRIBUTES } from './moves/move-attributes.js'
export { moveItem } from './moves/move-item.js'
export { readOrigins } from './moves/move-name.js'
export type { MovingTable } from './moves/moving-table.js'
export type { StoredItem } from './moves/stored-item.js'
// The shard map, and what processes share of it.
export { jump } from './placement/jump.js'
export { looksFor } from './placement/looks.js'
export { placeHash } from './placement/place-hash.js'
export { placesBesideHome } from './placement/placement.js'
// Where an item may be, in which order its places are read, and what a creation checks.
export { placementIn } from './placement/placement-in.js'
export { readingStage } from './placement/reading-stage.js'
export {
  parseSecondLevelCache,
  type SecondLevelCacheOptions,
} from './second-level-cache/second-level-cache-options.js'
export type { ShardMapCache } from './second-level-cache/shard-map-cache.js'
export { type OpenSharedStates, SharedStates } from './second-level-cache/shared-states.js'
export type { CountedTable } from './shard-map/counted-table.js'
export { type EnsureShardMapOptions, ensureShardMap } from './shard-map/ensure-shard-map.js'
export { ShardMap, type ShardMapOptions } from './shard-map/shard-map.js'
export { FLEET_ATTRIBUTES, SHARD_MAP_ATTRIBUTES } from './shard-map/shard-map-attributes.js'
export { type RateReport, ShardMapStore } from './shard-map/shard-map-store.js'
export { move } from './states/calculated-count.js'
export {
  isAbandoned,
  isClaimed,
  isUnwritten,
  mayMoveItems,
  phaseMilliseconds,
  RENEW_MILLISECONDS,
  REPLICAS_MILLISECONDS,
} from './states/drive-rules.js'
export { countChangedAt, hurriedChanges, silenceOf, wasScaled } from './states/pace.js'
export { resize } from './states/random-count.js'
// The state of a key, its steps, and who may take them.
export {
  type Announced,
  type AtRest,
  isChanging,
  isUnfinished,
  type Moved,
  readableShards,
  type ShardState,
  sourceShards,
  targetCount,
  type Unfinished,
} from './states/shard-state.js'
// What one request uses: the view of a key, how long it holds, and what may be on its way.
export { fixedView, hasMoves, isInTime, type ShardView, stayedInUse } from './states/shard-view.js'
export { fixedViews, type ShardViews } from './states/shard-views.js'
export { begin, complete, renew, requireOnePhaseApart } from './states/steps.js'
