import { readingStage } from '../placement/reading-stage.js'
import type { ShardView } from '../shard-map/shard-view.js'
import type { TableRuntime } from '../table/table-runtime.js'
import { type Cursor, writeCursor } from './cursor.js'
import type { QueryPlan } from './query-plan.js'
import { restAfter } from './shard-query.js'
import type { ShardReader } from './shard-reader.js'
import { ShardStream } from './shard-stream.js'

export interface OpenedQuery {
  readonly table: TableRuntime
  readonly plan: QueryPlan
  readonly reader: ShardReader
  readonly view: ShardView
  readonly mayMove: boolean
  /** Where the streams begin after. */
  readonly place: Cursor | undefined
}

/** A stream for each shard that has something left to give; where none has, one of the shard that the place is in. */
export function openStreams({ view, place, ...query }: OpenedQuery): readonly ShardStream[] {
  const { plan, mayMove } = query
  const { change, readable } = view
  const lastShard = Math.max(readable, change?.from ?? 1, change?.to ?? 1)
  const common = { ...query, lastShard }
  const streams: ShardStream[] = []
  for (let shard = 1; shard <= lastShard; shard++) {
    const stage = mayMove ? readingStage(view, shard) : 0
    // A retired shard's item may have come here from behind the cursor, with a sort key that this shard has passed.
    const mayComeBehind = place === undefined || place.shard < lastShard
    const asksAgain = stage > 0 && mayComeBehind && plan.order.parted && plan.source.isUnique
    const rest = restAfter(plan, shard, place, asksAgain)
    if (rest === undefined) continue
    const after = asksAgain ? place : undefined
    streams.push(new ShardStream({ ...common, shard, rest, stage, after }))
  }
  if (streams.length > 0 || place === undefined) return streams
  // Nothing is left: the service says so, and what it took to find out.
  const startKey = writeCursor(plan.source, place, place.key)
  const end = { range: plan.range, startKey }
  return [new ShardStream({ ...common, shard: place.shard, rest: end, stage: 0, after: undefined })]
}
