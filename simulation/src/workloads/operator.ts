import { randomInteger } from '@isotherm/runtime'
import type { Process } from '../world/process.js'
import type { World } from '../world/world.js'
import type { ChangesByHand } from './changes-by-hand.js'
import { requireExpected } from './expected-error.js'
import type { Client } from './workload.js'

export interface OperatorOptions {
  readonly table: string
  readonly keys: readonly string[]
  readonly maxShards: number
  /** Milliseconds between two changes by hand, of all processes together. */
  readonly everyMilliseconds: number
  /** When they have done with it, and give each key a low count: infinite for never. */
  readonly untilMilliseconds: number
  readonly processes: number
  /** Until items begin to leave the shards that were given up. */
  readonly beginMilliseconds: number
  /** Any process that lives, this one or another. */
  readonly anyOwner: () => { readonly process: Process; readonly db: Client }
  readonly byHand: ChangesByHand
}

/** The error that an operator gets when another process changes the same count. */
const CHANGING = 'shards.changing'

/** What is left to a key at last, at most. */
const MOST_AT_LAST = 4

/** Somebody who changes counts by hand in one process, up and down, and drains what was retired. */
export function operate(world: World, process: Process, db: Client, options: OperatorOptions): void {
  const { table, keys, maxShards, everyMilliseconds, untilMilliseconds, processes } = options
  const { random, clock } = process
  const change = async () => {
    const operated = { ...options, key: keys[randomInteger(random, 0, keys.length - 1)] ?? '' }
    const draw = random.next()
    if (draw < 0.4) await lowerAndRaise(process, db, operated)
    else if (draw < 0.8) await set(process, db, operated, randomInteger(random, 1, maxShards))
    else if (draw < 0.9) await db.shards(table, operated.key).drain({ unitsPerSecond: 10_000 })
    else await db.shards(table, operated.key).resume()
  }
  const work = async () => {
    while (world.isLoading && world.elapsed < untilMilliseconds) {
      const gap = -Math.log(1 - random.next()) * everyMilliseconds * processes
      await clock.sleep(Math.min(gap, Math.max(1, untilMilliseconds - world.elapsed)))
      if (world.isLoading && world.elapsed < untilMilliseconds) await unlessRefused(change)
    }
    for (const key of world.isLoading ? keys : []) {
      // One of all processes does it, mostly.
      if (random.next() >= 1 / processes) continue
      const few = randomInteger(random, 1, MOST_AT_LAST)
      await unlessRefused(() => set(process, db, { ...options, key }, few))
    }
  }
  work().catch((error: unknown) => world.guard(error))
}

interface Operated extends OperatorOptions {
  readonly key: string
}

async function set(
  process: Process,
  db: Client,
  { table, key, byHand }: Operated,
  shards: number,
): Promise<void> {
  await byHand.during({ process, table, key, shards }, () => db.shards(table, key).set(shards))
}

/**
 * Gives shards up, and takes them back within seconds: before their items have begun to leave them, or while they do. Mostly
 * in another process, so that the one that moves them does not know yet.
 */
async function lowerAndRaise(owner: Process, db: Client, operated: Operated): Promise<void> {
  const { table, key, maxShards, beginMilliseconds, anyOwner } = operated
  const { random, clock } = owner
  const before = (await db.shards(table, key).read())?.shards ?? 1
  await set(owner, db, operated, randomInteger(random, 1, Math.max(1, before - 1)))
  await clock.sleep(beginMilliseconds * (0.5 + random.next()))
  const raised = before === 1 ? randomInteger(random, 1, maxShards) : before
  const other = anyOwner()
  await set(other.process, other.db, operated, raised)
}

async function unlessRefused(call: () => Promise<unknown>): Promise<void> {
  try {
    await call()
  } catch (error) {
    const isRefused = error instanceof Error && 'code' in error && error.code === CHANGING
    if (!isRefused) requireExpected(error)
  }
}
