/** How many writes the share of found items is averaged over, roughly. */
const WRITES = 8

/** Of so many writes that are not expected to find their item, one tries whether that has changed. */
const PROBE_EVERY = 64

/**
 * Whether the writes of a process usually find the item that they change. A write that expects its item sends the shard map nothing, and
 * pays for a refused request if there is no such item. Where most writes create items, that is dearer than asking the shard map first.
 */
export class UpdateHabit {
  /** Neither yet: a process that lives for a few writes would pay for every one of them, if it expected items that never are there. */
  #found = 0.5
  #sinceProbe = 0

  /** Whether the next write should expect its item to be there. */
  expectsItem(): boolean {
    if (this.#found >= 0.5) return true
    this.#sinceProbe = (this.#sinceProbe + 1) % PROBE_EVERY
    return this.#sinceProbe === 0
  }

  /** A write that expected its item has found it, or has not. */
  learned(wasThere: boolean): void {
    this.#found += ((wasThere ? 1 : 0) - this.#found) / WRITES
  }
}
