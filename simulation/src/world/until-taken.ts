import { isThrottle } from './throttle.js'
import type { World } from './world.js'

/** Asks again while there is no capacity. */
export async function untilTaken<Output>(world: World, ask: () => Promise<Output>): Promise<Output> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!isThrottle(error)) throw error
      await world.scheduler.sleep(1_000)
    }
  }
}
