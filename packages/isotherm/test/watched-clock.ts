import { type SleepOptions, VirtualClock } from '@isotherm/runtime'

interface Sleep extends SleepOptions {
  readonly milliseconds: number
}

/** A virtual clock that records how long it was to sleep, and whether the process might end meanwhile. */
export class WatchedClock extends VirtualClock {
  readonly sleeps: Sleep[] = []

  override sleep(milliseconds: number, signal?: AbortSignal, options?: SleepOptions): Promise<void> {
    this.sleeps.push({ milliseconds, ...options })
    return super.sleep(milliseconds, signal)
  }
}
