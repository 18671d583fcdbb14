import { randomInteger } from '@isotherm/runtime'
import type { Process } from '../world/process.js'
import type { World } from '../world/world.js'
import { mayHaveBeenDone } from './expected-error.js'
import type { Client } from './workload.js'

export interface OperatorOptions {
  readonly table: string
  readonly keys: readonly string[]
  readonly maxShards: number
  /** Milliseconds between two changes by hand, of all processes together. */
  readonly everyMilliseconds: number
  readonly processes: number
}

/** What an operator is told when somebody else changes the same count. */
const CHANGING = 'shards.changing'

/** Somebody who changes counts by hand in one process, up and down, and drains what was retired. */
export function operate(
  world: World,
  process: Process,
  db: Client,
  { table, keys, maxShards, everyMilliseconds, processes }: OperatorOptions,
): void {
  const { random, clock } = process
  const work = async () => {
    while (world.isLoading) {
      await clock.sleep(-Math.log(1 - random.next()) * everyMilliseconds * processes)
      if (!world.isLoading) return
      const shards = db.shards(table, keys[randomInteger(random, 0, keys.length - 1)] ?? '')
      const draw = random.next()
      try {
        if (draw < 0.8) await shards.set(randomInteger(random, 1, maxShards))
        else if (draw < 0.9) await shards.drain({ unitsPerSecond: 10_000 })
        else await shards.resume()
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === CHANGING))
          mayHaveBeenDone(error, world)
      }
    }
  }
  work().catch((error: unknown) => world.guard(error))
}
