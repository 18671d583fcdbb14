import type { Process } from '../world/process.js'
import type { World } from '../world/world.js'

interface Change {
  readonly process: Process
  readonly table: string
  readonly key: string
  readonly shards: number
}

/** Which counts people are setting at this moment, to distinguish their changes from those of the library. */
export class ChangesByHand {
  readonly #world: Pick<World, 'scheduler'>
  readonly #latestMilliseconds: number
  readonly #under = new Set<Change>()

  /** @param latestMilliseconds how long after it was sent a request may still be carried out */
  constructor(world: Pick<World, 'scheduler'>, latestMilliseconds: number) {
    this.#world = world
    this.#latestMilliseconds = latestMilliseconds
  }

  /** Does it, and takes what comes of it for done by hand, as long as anything may. */
  async during(change: Change, set: () => Promise<unknown>): Promise<void> {
    this.#under.add(change)
    try {
      await set()
    } finally {
      this.#world.scheduler.after(this.#latestMilliseconds, () => this.#under.delete(change))
    }
  }

  has(process: Process, table: string, key: string, shards: number): boolean {
    for (const each of this.#under) {
      if (each.process === process && each.table === table && each.key === key && each.shards === shards)
        return true
    }
    return false
  }
}
