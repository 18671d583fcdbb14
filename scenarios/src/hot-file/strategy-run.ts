import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import type { IsothermEvent } from 'isotherm'
import { Measurements, meanFrom, sumOf } from './measurements.js'
import type { StrategyProgress } from './progress.js'
import { readBack } from './read-back.js'
import { replay } from './replay.js'
import type { StrategyReport } from './report.js'
import type { Strategy } from './strategy.js'
import { watchThrottledPuts } from './throttling.js'
import type { Workload } from './workload.js'
import { rampEndSeconds, totalSeconds, type WorkloadParameters } from './workload-parameters.js'

/** The dependencies of one strategy's run. */
export interface StrategyRunParts {
  readonly strategy: Strategy
  /** The client below the strategy's `db`. */
  readonly client: DynamoDBClient
  readonly workload: Workload
  readonly parameters: WorkloadParameters
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onTick: () => void
}

/** One strategy, from the first write to the report. */
export class StrategyRun {
  readonly strategy: Strategy
  readonly client: DynamoDBClient
  readonly #parts: StrategyRunParts
  readonly #measurements: Measurements

  constructor(parts: StrategyRunParts) {
    const { strategy, client, parameters, clock } = parts
    this.strategy = strategy
    this.client = client
    this.#parts = parts
    const measurements = new Measurements(clock, totalSeconds(parameters), strategy.initialShards)
    this.#measurements = measurements
    watchThrottledPuts(client, strategy.table, () => measurements.throttledAttempt())
  }

  /** Records an event of the library. */
  heard(event: IsothermEvent): void {
    if (event.type !== 'scaled' || event.logicalKey !== this.#parts.workload.viralPath) return
    this.#measurements.shards(event.to)
  }

  replay(): Promise<void> {
    return replay({
      ...this.#parts,
      db: this.strategy.db,
      table: this.strategy.table,
      measurements: this.#measurements,
    })
  }

  /** Offered writes a second after the ramp. */
  get offeredPerSecond(): number {
    return tenths(meanFrom(this.#measurements.series.offered, this.#rampEnd))
  }

  /** @param second the current one; the figures are those of the previous one */
  progress(second: number): StrategyProgress {
    const { name, title } = this.strategy
    const { offered, accepted, throttled } = this.#measurements.series
    return {
      strategy: name,
      title,
      offeredPerSecond: offered[second - 1] ?? 0,
      acceptedPerSecond: accepted[second - 1] ?? 0,
      throttledPerSecond: throttled[second - 1] ?? 0,
      shards: this.#measurements.shardsNow,
      offeredBySecond: offered.slice(0, second),
      acceptedBySecond: accepted.slice(0, second),
    }
  }

  async readBackAndReport(): Promise<StrategyReport> {
    const { strategy, workload } = this.#parts
    const measurements = this.#measurements
    const trail = await readBack(
      strategy.db,
      strategy.table,
      workload.viralPath,
      measurements.acknowledgedOfViralFile,
    )
    const { series } = measurements
    const accepted = sumOf(series.accepted.slice(this.#rampEnd))
    const throttled = sumOf(series.throttled.slice(this.#rampEnd))
    return {
      strategy: strategy.name,
      title: strategy.title,
      table: strategy.table,
      ...measurements.totals,
      acceptedPerSecond: tenths(meanFrom(series.accepted, this.#rampEnd)),
      throttledPerSecond: tenths(meanFrom(series.throttled, this.#rampEnd)),
      throttledShareAfterRamp: throttled === 0 ? 0 : rounded(throttled / (accepted + throttled), 6),
      viralFileAcceptedPerSecond: tenths(meanFrom(measurements.acceptedOfViralFileBySecond, this.#rampEnd)),
      shardsFinal: measurements.shardsNow,
      shardChanges: measurements.shardChanges.map(({ atSeconds, shards }) => ({
        atSeconds: tenths(atSeconds),
        shards,
      })),
      readBack: trail,
      series,
      latestMilliseconds: measurements.latestMilliseconds,
      firstFailure: measurements.firstFailure,
    }
  }

  get #rampEnd(): number {
    return rampEndSeconds(this.#parts.parameters)
  }
}

function tenths(value: number): number {
  return rounded(value, 1)
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
