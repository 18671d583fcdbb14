import type { TransferFailure } from '../catalog/transfer-records.js'

/** Exports and imports at once in a region: the service's number of imports. It takes 300 exports, which hold data here. */
export const MAX_TRANSFERS_AT_ONCE = 50

/**
 * The background work of exports and imports. It outlives the catalog, which is loaded again when a snapshot is restored
 * or a write has failed.
 */
export class TransferJobs {
  /** Why transfers failed whose records could not be saved, by ARN. */
  readonly failures = new Map<string, TransferFailure>()
  readonly #running = new Set<Promise<void>>()

  /** Starts a job, which reports its failures itself. */
  run(job: () => Promise<void>): void {
    const running: Promise<void> = job().finally(() => this.#running.delete(running))
    this.#running.add(running)
    running.catch(() => {})
  }

  /** A promise that resolves when all jobs have ended, or `undefined` when none is running. */
  ended(): Promise<void> | undefined {
    if (this.#running.size === 0) return undefined
    return Promise.allSettled(this.#running).then(() => {})
  }
}
