import type { Answer } from '../world/engine-lane.js'
import { isThrottle } from '../world/throttle.js'
import type { World } from '../world/world.js'

/** Soon, so that nothing else has been written meanwhile. */
const WAIT_MILLISECONDS = 10

/** Reads an item of a shard map as it is stored now. What watches the service takes from the same capacity, so it asks again. */
export async function readNow(
  { lane, scheduler }: Pick<World, 'lane' | 'scheduler'>,
  input: object,
): Promise<Answer> {
  for (;;) {
    try {
      return await lane.execute('GetItem', { ...input, ConsistentRead: true })
    } catch (error) {
      if (!isThrottle(error)) throw error
      await scheduler.sleep(WAIT_MILLISECONDS)
    }
  }
}
