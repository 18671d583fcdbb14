import { concurrently } from '../bounded/concurrently.js'
import type { CopyFilter } from './copy-filter.js'
import { expectedReads } from './expected-reads.js'
import type { GatheredPage } from './gathered-page.js'
import type { PageBudget } from './page-budget.js'
import { comparePositions, type MergeOrder, type Position } from './position.js'
import type { QueryPlan } from './query-plan.js'
import type { Frontier, ShardStream } from './shard-stream.js'

/** Requests to shards at a time: half of the 50 sockets that the SDK's default handler opens. */
const MAX_CONCURRENT_REQUESTS = 25

/** What the shards of a query are read by. */
export interface Gathering {
  readonly plan: QueryPlan
  readonly streams: readonly ShardStream[]
  readonly page: GatheredPage
  readonly budget: PageBudget
  /** Where items may move between the shards. */
  readonly copies: CopyFilter | undefined
  /** Whether what was just read may have been read from the wrong shards. */
  readonly isOutdated: () => boolean
}

/** A request for a next piece; without a number, for as much as the service gives. */
interface Read {
  readonly stream: ShardStream
  readonly items: number | undefined
}

/**
 * Merges the streams lazily: whatever lies at or before the lowest place up to which every unfinished stream is fetched
 * can be followed by nothing else, so it goes into the page; then the streams are asked for more that need it.
 *
 * @returns whether the page is complete; if not, the shards have to be looked up anew, and it goes on at its place
 */
export async function gather(gathering: Gathering): Promise<boolean> {
  const { plan, streams, page, budget, copies, isOutdated } = gathering
  const { order } = plan
  budget.shards = streams.length
  for (;;) {
    const scannedBefore = page.scanned
    const requestsBefore = page.requests
    await readRound(gathering)
    if (isOutdated()) {
      page.scanned = scannedBefore
      return false
    }
    const frontier = lowestFrontier(streams, order)
    // mark: page-ends-where-order-is-known
    const safe = streams.flatMap((stream) => stream.takeUpTo(frontier))
    // The parts are sorted runs already, which the engine's merge sort finds and merges.
    safe.sort((a, b) => comparePositions(a, b, order))
    const items = copies === undefined ? safe : copies.without(safe)
    for (const [index, item] of items.entries()) {
      page.add(item)
      page.isLast = frontier === undefined && index === items.length - 1
      if (budget.take(item.bytes)) return true
    }
    if (frontier === undefined) {
      page.isLast = true
      return true
    }
    if (page.reach(frontier) && budget.isSpent) return true
    if (page.requests === requestsBefore)
      throw new Error('A page is not complete, and no shard is read for it.')
  }
}

/**
 * Items that are moved are looked for where they leave before they are looked for where they go: one that was at its source
 * no more when that was read is at its target from then on. A target is read up to where all sources are, and no further.
 */
async function readRound(gathering: Gathering): Promise<void> {
  const { streams, plan, budget } = gathering
  const stages = Math.max(...streams.map(({ stage }) => stage))
  if (stages === 0) return readAll(gathering, readsOf(gathering), undefined)
  for (let current = 0; current <= stages; current++) {
    const reach = lowestFrontier(
      streams.filter(({ stage }) => stage < current),
      plan.order,
    )
    const dry = streams.filter((stream) => stream.stage === current && stream.isDry && !stream.covers(reach))
    const reads = dry.map((stream) => ({ stream, items: budget.share(stream.lastAsked) }))
    await readAll(gathering, reads, reach)
  }
}

/** What to read next where nothing moves. */
function readsOf({ streams, plan, budget }: Gathering): readonly Read[] {
  const isFirst = streams.every(({ lastAsked }) => lastAsked === 0)
  // What a filter lets through says little about what it still will.
  if (isFirst || plan.filtered) {
    const dry = streams.filter(({ isDry }) => isDry)
    return dry.map((stream) => ({ stream, items: budget.share(stream.lastAsked) }))
  }
  const expected = expectedReads(streams, plan.order, budget.items, budget.items + budget.remainingItems)
  return expected.map(({ stream, items }) => ({ stream, items: budget.shareOf(items) }))
}

function readAll(
  { page, budget }: Gathering,
  reads: readonly Read[],
  reach: Position | undefined,
): Promise<void> {
  return concurrently(reads, MAX_CONCURRENT_REQUESTS, async ({ stream, items }) => {
    const piece = await stream.fetch(items, reach)
    budget.read(piece.scanned, piece.evaluatedBytes)
    page.read(piece)
  })
}

function lowestFrontier(streams: readonly ShardStream[], order: MergeOrder): Frontier | undefined {
  let lowest: Frontier | undefined
  for (const { isFinished, frontier } of streams) {
    if (isFinished || frontier === undefined) continue
    if (lowest === undefined || comparePositions(frontier, lowest, order) < 0) lowest = frontier
  }
  return lowest
}
