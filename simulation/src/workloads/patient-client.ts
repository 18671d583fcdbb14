import { QueryCommand } from '@aws-sdk/client-dynamodb'
import { isThrottle } from '../world/throttle.js'
import type { World } from '../world/world.js'
import type { Client } from './workload.js'

/** How often, and how long before it is asked again: partitions give little, and others read at the same time. */
const MAX_TRIES = 300
const WAIT_MILLISECONDS = 1_000

/** A page without a limit takes more than a partition gives in seconds, and a query of several such pages never ends. */
const PAGE_ITEMS = 50

/** The client of an application that asks again for as long as there is no capacity: where partitions refuse reads to the very end. */
export function patientClient(world: World, db: Client): Client {
  const send = async (command: unknown, options?: unknown): Promise<unknown> => {
    if (command instanceof QueryCommand) command.input.Limit ??= PAGE_ITEMS
    for (let tried = 1; ; tried++) {
      try {
        return await db.send(command as never, options as never)
      } catch (error) {
        if (!isThrottle(error) || tried === MAX_TRIES) throw error
        await world.scheduler.sleep(WAIT_MILLISECONDS * (1 + (tried % 3)))
      }
    }
  }
  return Object.create(db, { send: { value: send } }) as Client
}
