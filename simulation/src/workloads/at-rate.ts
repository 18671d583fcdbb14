import type { Process } from '../world/process.js'
import type { World } from '../world/world.js'

/** Calls of one process that are under way at a time; more are not begun, as by a server with so many connections. */
const MAX_CALLS = 30

/**
 * Begins calls in a process at a rate that may change, by chance and whether or not those before are answered, until
 * the load of the world ends.
 *
 * @param perSecond as it is at this moment, of this process
 */
export function atRate(
  world: World,
  process: Process,
  perSecond: () => number,
  call: () => Promise<void>,
): void {
  /** While nothing is asked for, this often it is looked whether that has changed. */
  const idleMilliseconds = 1_000
  let calls = 0
  const go = async () => {
    while (world.isLoading) {
      const rate = perSecond()
      const gap = rate > 0 ? (-Math.log(1 - process.random.next()) * 1_000) / rate : idleMilliseconds
      await process.clock.sleep(Math.min(gap, idleMilliseconds))
      if (!world.isLoading || gap > idleMilliseconds || calls >= MAX_CALLS) continue
      calls += 1
      call()
        .catch((error: unknown) => world.guard(error))
        .finally(() => {
          calls -= 1
        })
    }
  }
  go().catch((error: unknown) => world.guard(error))
}
