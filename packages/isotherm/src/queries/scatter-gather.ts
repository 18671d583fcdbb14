import type { ConsumedCapacity, QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import type { SendOptions } from '../sdk/physical-client.js'
import { concurrently } from './concurrently.js'
import { addCapacity } from './consumed-capacity.js'
import type { PageBudget } from './page-budget.js'
import { comparePositions, type Position } from './position.js'
import type { PlacedItem, ShardStream } from './shard-stream.js'

/** Requests to shards at a time: half of the 50 sockets that the SDK's default handler opens. */
const MAX_CONCURRENT_REQUESTS = 25

/** A page in the merged order. */
export interface GatheredPage {
  readonly items: readonly PlacedItem[]
  /** Where the next page begins after; `undefined` when nothing is left. */
  readonly cursor: Position | undefined
  readonly scanned: number
  readonly capacity: ConsumedCapacity | undefined
  readonly metadata: QueryCommandOutput['$metadata']
}

/**
 * Merges the streams lazily: whatever lies at or before the lowest place up to which every unfinished stream is fetched
 * can be followed by nothing else, so it goes into the page; then only a stream that ran dry is asked for more.
 */
export async function gather(
  streams: readonly ShardStream[],
  direction: 1 | -1,
  budget: PageBudget,
  options: SendOptions | undefined,
): Promise<GatheredPage> {
  const items: PlacedItem[] = []
  let scanned = 0
  let attempts = 0
  let capacity: ConsumedCapacity | undefined
  let metadata: QueryCommandOutput['$metadata'] = {}
  const fetch = async (stream: ShardStream) => {
    const piece = await stream.fetch(budget.share(stream.lastAsked), options)
    budget.read(piece.scanned, piece.evaluatedBytes)
    scanned += piece.scanned
    attempts += piece.metadata.attempts ?? 1
    capacity = addCapacity(capacity, piece.capacity)
    metadata = piece.metadata
  }
  const page = (cursor: Position | undefined): GatheredPage => ({
    items,
    cursor,
    scanned,
    capacity,
    metadata: { ...metadata, attempts },
  })
  for (;;) {
    const dry = streams.filter((stream) => stream.isDry)
    await concurrently(dry, MAX_CONCURRENT_REQUESTS, fetch)
    const frontier = lowestFrontier(streams, direction)
    const safe = streams.flatMap((stream) => stream.takeUpTo(frontier))
    // The parts are sorted runs already, which the engine's merge sort finds and merges.
    safe.sort((a, b) => comparePositions(a, b, direction))
    for (const [index, item] of safe.entries()) {
      items.push(item)
      const isLast = index === safe.length - 1 && frontier === undefined
      if (budget.take(item.bytes)) return page(isLast ? undefined : item)
    }
    if (frontier === undefined || budget.isSpent) return page(frontier)
  }
}

function lowestFrontier(streams: readonly ShardStream[], direction: 1 | -1): Position | undefined {
  let lowest: Position | undefined
  for (const { isFinished, frontier } of streams) {
    if (isFinished || frontier === undefined) continue
    if (lowest === undefined || comparePositions(frontier, lowest, direction) < 0) lowest = frontier
  }
  return lowest
}
