import { IsothermError } from '../../errors/isotherm-error.js'
import type { CounterTarget } from './add-to-counter.js'
import { forgetClosed, lowerShards } from './change-head.js'
import { type Move, moveCounts } from './move-counts.js'
import { readCounter, type Snapshot } from './read-counter.js'

/** Shards that one transaction moves. More of them would meet more of the counts that others make. */
const SHARDS_A_MOVE = 10

/** Moves in a row that something else came before. */
const MAX_REFUSED = 50

/**
 * Moves what the shards have counted into the head, a few shards at a time.
 *
 * @param shards lowers the number of shards to this
 * @returns what was moved
 * @throws IsothermError `counter.busy`
 */
export async function rollUpCounter(target: CounterTarget, shards: number | undefined): Promise<bigint> {
  const done = new Set<number>()
  let moved = 0n
  let snapshot = await readCounter(target)
  let { generation } = snapshot.head
  for (let refused = 0; refused < MAX_REFUSED; refused++) {
    const { head } = snapshot
    if (head.generation !== generation) {
      // A growth opens closed shards again, and others may have counted in them before the next lowering.
      done.clear()
      generation = head.generation
    }
    if (shards !== undefined && shards < head.shards) await lowerShards(target, head, shards)
    else if (head.highest > head.shards && allClosed(snapshot, done)) await forgetClosed(target, head)
    else {
      const before = done.size
      moved += await moveAll(target, snapshot, done)
      if (done.size > before) refused = 0
      if (remaining(snapshot, done).length === 0 && head.highest === head.shards) return moved
    }
    snapshot = await readCounter(target)
    await target.shards.refresh()
  }
  const { table, key } = target.options
  throw new IsothermError(
    'counter.busy',
    `Something else moved in the counter ${key} before each of ${MAX_REFUSED} moves of its roll-up. Let one process roll it up.`,
    { table, key, readings: MAX_REFUSED },
  )
}

/** Moves until one is refused. @returns what was moved */
async function moveAll(target: CounterTarget, snapshot: Snapshot, done: Set<number>): Promise<bigint> {
  let { head } = snapshot
  let moved = 0n
  const left = remaining(snapshot, done)
  for (let at = 0; at < left.length; at += SHARDS_A_MOVE) {
    const moves = left.slice(at, at + SHARDS_A_MOVE)
    if (!(await moveCounts(target, head, moves))) return moved
    for (const { shard, count } of moves) {
      done.add(shard)
      moved += count
    }
    head = { ...head, moves: head.moves + 1 }
  }
  return moved
}

/** What is still to be moved: what shards have counted, and shards that are to be closed. */
function remaining({ head, counts }: Snapshot, done: ReadonlySet<number>): readonly Move[] {
  return Array.from({ length: head.highest }, (_, index) => index + 1).flatMap((shard) => {
    const count = counts.get(shard) ?? 0n
    const closes = shard > head.shards
    return done.has(shard) || (count === 0n && !closes) ? [] : [{ shard, count, closes }]
  })
}

function allClosed({ head }: Snapshot, done: ReadonlySet<number>): boolean {
  for (let shard = head.shards + 1; shard <= head.highest; shard++) if (!done.has(shard)) return false
  return true
}
