import type { ShardReader } from '../attempts/shard-reader.js'
import { readingStage, type ShardView } from '../protocol/index.js'
import { type Cursor, namedShard, writeCursor } from './cursor.js'
import type { QueriedTable } from './queried-table.js'
import type { QueryPlan } from './query-plan.js'
import type { QuerySource } from './query-source.js'
import { restAfter, type ShardRest } from './shard-query.js'
import { ShardStream } from './shard-stream.js'

export interface OpenedQuery {
  readonly table: QueriedTable
  readonly plan: QueryPlan
  readonly reader: ShardReader
  readonly view: ShardView
  readonly mayMove: boolean
  /** The position after which the streams begin. */
  readonly place: Cursor | undefined
}

/** Opens a stream for each shard with remaining items. If none has any, opens one for the shard of the position. */
export function openStreams({
  table,
  plan,
  reader,
  view,
  mayMove,
  place,
}: OpenedQuery): readonly ShardStream[] {
  const { source } = plan
  const lastShard = lastWithRoom(source, view.readable)
  const streams: ShardStream[] = []
  const open = (shard: number, rest: ShardRest, stage: number, after: Cursor | undefined) =>
    streams.push(new ShardStream({ table, plan, reader, lastShard, shard, rest, stage, after }))
  // mark: query-asks-every-shard
  for (let shard = 1; shard <= lastShard; shard++) {
    if (shard < lastShard && !source.hasRoom(shard)) continue
    const stage = mayMove ? readingStage(view, shard) : 0
    // An item of a retired shard may have moved here, with a sort key that was already passed in this shard.
    const mayComeBehind = place === undefined || place.shard < lastShard
    const asksAgain = stage > 0 && mayComeBehind && plan.order.parted && source.isUnique
    const rest = restAfter(plan, shard, place, asksAgain)
    if (rest !== undefined) open(shard, rest, stage, asksAgain ? place : undefined)
  }
  if (streams.length === 0 && place !== undefined) {
    // Nothing remains. The request still lets the service report that, and its cost.
    const { range } = plan
    const shard = namedShard(place)
    open(shard, { range, startKey: writeCursor(source, { ...place, shard }, place.key) }, 0, undefined)
  }
  return streams
}

/** The last shard in which the key may have items. If it has no room in any, the request to the first shard is refused. */
function lastWithRoom(source: QuerySource, readable: number): number {
  let shard = readable
  while (shard > 1 && !source.hasRoom(shard)) shard -= 1
  return shard
}
