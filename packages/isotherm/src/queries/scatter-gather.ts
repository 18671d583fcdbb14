import { concurrently } from '../bounded/concurrently.js'
import { catchUpGoal } from './catch-up-goal.js'
import type { CopyFilter } from './copy-filter.js'
import { expectedReads } from './expected-reads.js'
import type { GatheredPage } from './gathered-page.js'
import { mergeInOrder } from './merge-in-order.js'
import type { PageBudget } from './page-budget.js'
import { comparePositions, type MergeOrder, type PlacedItem, type Position } from './position.js'
import type { QueryPlan } from './query-plan.js'
import type { Frontier, ShardStream } from './shard-stream.js'

/** The number of concurrent requests to shards: half of the 50 sockets of the SDK's default handler. */
const MAX_CONCURRENT_REQUESTS = 25

/** The state of a query that reads several shards. */
export interface Gathering {
  readonly plan: QueryPlan
  readonly streams: readonly ShardStream[]
  readonly page: GatheredPage
  readonly budget: PageBudget
  /** Present when items may move between the shards. */
  readonly copies: CopyFilter | undefined
  /** Whether the last round may have read from the wrong shards. */
  readonly isOutdated: () => boolean | Promise<boolean>
}

/** A request for the next piece of a shard. Without a number of items, for as much as the service returns. */
interface Read {
  readonly stream: ShardStream
  readonly items: number | undefined
}

/**
 * Merges the streams lazily. The lowest frontier of all unfinished streams is the position up to which everything has
 * been read, so no other item can precede it. Items up to that position are added to the page, and then the streams
 * that need it are read further.
 *
 * @returns whether the page is complete. If not, the caller must read the shard map again and continue at the page's
 * position.
 */
export async function gather(gathering: Gathering): Promise<boolean> {
  const { plan, streams, page, budget, copies, isOutdated } = gathering
  const { order } = plan
  budget.begin(streams.length)
  for (;;) {
    const scannedBefore = page.scanned
    const requestsBefore = page.requests
    await readRound(gathering)
    const outdated = isOutdated()
    if (outdated instanceof Promise ? await outdated : outdated) {
      page.scanned = scannedBefore
      return false
    }
    const frontier = lowestFrontier(streams, order)
    // mark: page-ends-where-order-is-known
    const parts = streams.map((stream) => stream.takeUpTo(frontier))
    const safe = mergeInOrder(parts, order)
    const items = copies === undefined ? safe : copies.without(safe)
    if (fill(gathering, items, frontier === undefined)) return true
    if (frontier === undefined) {
      page.isLast = true
      return true
    }
    if (page.reach(frontier) && budget.isSpent) return true
    if (page.requests === requestsBefore) throw new Error('No shard is read.')
  }
}

/**
 * Adds items to the page. It is a separate function, because V8 compiles a loop in an async function late, and until then it allocates 40
 * bytes for each item.
 *
 * @param isRest whether no items remain after these
 * @returns whether the page is full
 */
function fill({ page, budget }: Gathering, items: readonly PlacedItem[], isRest: boolean): boolean {
  const last = isRest ? items.at(-1) : undefined
  for (const item of items) {
    page.add(item)
    page.isLast = item === last
    if (budget.take(item.bytes)) return true
  }
  return false
}

/**
 * Reads source shards of moves before target shards. An item that was no longer in its source when that was read is in
 * its target from then on. A target is read up to the lowest frontier of its sources, and no further.
 */
async function readRound(gathering: Gathering): Promise<void> {
  const { streams, plan, budget } = gathering
  const stages = Math.max(...streams.map(({ stage }) => stage))
  if (plan.filtered) return readFilteredRound(gathering, stages)
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

/** Reads all shards first, and then those that are behind the others. */
async function readFilteredRound(gathering: Gathering, stages: number): Promise<void> {
  const { streams, plan, budget } = gathering
  const goal = catchUpGoal(streams, plan.order)
  await readBehind(gathering, 0, goal)
  budget.countRound()
  if (stages > 0 && goal === undefined) {
    // Targets are read up to the lowest of their sources. So all sources come first, and each target is read once.
    const sources = streams.filter(({ stage }) => stage === 0)
    await readBehind(gathering, 0, catchUpGoal(sources, plan.order))
    budget.countRound()
  }
  for (let stage = 1; stage <= stages; stage++) await readBehind(gathering, stage, goal)
}

async function readBehind(gathering: Gathering, stage: number, goal: Position | undefined): Promise<void> {
  const { streams, plan, budget } = gathering
  const { order, source } = plan
  const earlier = lowestFrontier(
    streams.filter((stream) => stream.stage < stage),
    order,
  )
  const behind = streams.filter(
    (stream) => stream.stage === stage && !stream.covers(earlier) && !stream.covers(goal),
  )
  behind.sort((a, b) => compareFrontiers(a.frontier, b.frontier, order))
  const shares = budget.catchUpShares(behind.length)
  const reads = behind.map((stream, index) => ({
    stream,
    items: stage === 0 && stream.lastAsked === 0 ? budget.share(0) : shares[index],
  }))
  // A page can end at a goal only where it is the position of at most one item.
  return readAll(gathering, reads, source.isUnique ? lower(goal, earlier, order) : earlier)
}

/** The next reads when nothing moves. */
function readsOf({ streams, plan, budget }: Gathering): readonly Read[] {
  if (streams.every(({ lastAsked }) => lastAsked === 0)) {
    return streams.map((stream) => ({ stream, items: budget.share(0) }))
  }
  const expected = expectedReads(streams, plan.order, budget.items, budget.items + budget.remainingItems)
  return expected.map(({ stream, items }) => ({ stream, items: budget.shareOf(items) }))
}

function readAll(
  { page, budget }: Gathering,
  reads: readonly Read[],
  reach: Position | undefined,
): Promise<void> {
  const left = reads.filter(({ stream }) => !stream.skip(reach))
  return concurrently(left, MAX_CONCURRENT_REQUESTS, async ({ stream, items }) => {
    const piece = await stream.fetch(items, reach)
    budget.read(piece)
    page.read(piece)
  })
}

function compareFrontiers(a: Frontier | undefined, b: Frontier | undefined, order: MergeOrder): number {
  return a === undefined || b === undefined ? 0 : comparePositions(a, b, order)
}

function lower(a: Position | undefined, b: Position | undefined, order: MergeOrder): Position | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return comparePositions(a, b, order) < 0 ? a : b
}

/** The lowest frontier of all unfinished streams. Of several at the same position, one where a page can end. */
function lowestFrontier(streams: readonly ShardStream[], order: MergeOrder): Frontier | undefined {
  let lowest: Frontier | undefined
  for (const { isFinished, frontier } of streams) {
    if (isFinished || frontier === undefined) continue
    if (lowest !== undefined) {
      const difference = comparePositions(frontier, lowest, order)
      if (difference > 0 || (difference === 0 && lowest.key !== undefined)) continue
    }
    lowest = frontier
  }
  return lowest
}
