import type { Clock } from '@isotherm/runtime'
import type { Access } from '../../events/event.js'
import { invalidOption } from '../../options/check.js'
import type { TableMetrics, TableUsage } from './table-usage.js'

/** Metrics have a resolution of a minute, and each request costs money. */
const LIFETIME_MILLISECONDS = 60_000

/** How soon metrics that were not there yet are requested again. */
const MISSING_MILLISECONDS = 30_000

/** After so long without a throttle, the next one belongs to another load. */
const EPISODE_MILLISECONDS = 60_000

export interface TableUsageReaderOptions {
  readonly table: string
  readonly access: Access
  readonly metrics: TableMetrics
  readonly clock: Clock
  readonly onFailed: (error: unknown) => void
}

/** Reads the use of a whole table in the background, while its requests are throttled without a reason. */
export class TableUsageReader {
  readonly #options: TableUsageReaderOptions
  #usage: TableUsage | undefined
  #since = Number.NEGATIVE_INFINITY
  #throttledAt = Number.NEGATIVE_INFINITY
  #nextAt = Number.NEGATIVE_INFINITY

  constructor(options: TableUsageReaderOptions) {
    this.#options = options
  }

  /** Handles a throttle. @returns what is known by now; a throttled request does not wait for metrics */
  throttled(): TableUsage | undefined {
    const now = this.#options.clock.now()
    if (now - this.#throttledAt > EPISODE_MILLISECONDS) {
      this.#since = now
      this.#nextAt = now
      this.#usage = undefined
    }
    this.#throttledAt = now
    if (now >= this.#nextAt) {
      // Set before the request, so that concurrent throttles cause only one. A request without a response prevents none.
      this.#nextAt = now + LIFETIME_MILLISECONDS
      void this.#read(now)
    }
    return this.#usage
  }

  async #read(now: number): Promise<void> {
    const { table, access, metrics, clock, onFailed } = this.#options
    const since = this.#since
    try {
      const usage = await metrics({ table, access, since, now })
      if (since !== this.#since) return
      this.#usage = usage === undefined ? undefined : checked(usage)
      if (usage === undefined) this.#nextAt = clock.now() + MISSING_MILLISECONDS
    } catch (error) {
      // Outdated figures would be taken for the current ones.
      if (since === this.#since) this.#usage = undefined
      onFailed(error)
    }
  }
}

function checked(usage: TableUsage): TableUsage {
  const { unitsPerSecond, throttles } = usage
  requireAmount('unitsPerSecond', unitsPerSecond)
  if (throttles !== undefined) {
    requireAmount('throttles.partition', throttles.partition)
    requireAmount('throttles.table', throttles.table)
  }
  return usage
}

function requireAmount(name: string, value: unknown): void {
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return
  throw invalidOption(`the result of tableMetrics: ${name}`, value, 'a number from 0')
}
