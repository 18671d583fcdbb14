import type { Clock } from '@isotherm/runtime'

/** Figures by second of the run, from its first second. */
export interface SecondsSeries {
  /** Writes that the workload asked for. */
  readonly offered: readonly number[]
  /** Writes that were acknowledged. */
  readonly accepted: readonly number[]
  /** Attempts that were throttled; one write can have several. */
  readonly throttled: readonly number[]
  /** Shards of the viral file at the end of the second. */
  readonly shards: readonly number[]
}

/** The outcomes of one strategy's writes. */
export interface WriteTotals {
  readonly offered: number
  readonly accepted: number
  /** Throttled attempts. */
  readonly throttledAttempts: number
  /** Writes whose last attempt was throttled: lost. */
  readonly givenUp: number
  /** Writes not sent because too many were unanswered: lost. */
  readonly shed: number
  /** Writes that failed for any other reason. */
  readonly failed: number
}

/** A change of the viral file's shard count. */
export interface ShardChange {
  readonly atSeconds: number
  readonly shards: number
}

/** Records the figures of one strategy. Anything after `seconds` counts in the totals and in no series. */
export class Measurements {
  readonly #clock: Clock
  readonly #offered: number[]
  readonly #accepted: number[]
  readonly #throttled: number[]
  readonly #acceptedOfViralFile: number[]
  readonly #shardChanges: ShardChange[]
  readonly #acknowledgedOfViralFile: string[] = []
  readonly #totals = { offered: 0, accepted: 0, throttledAttempts: 0, givenUp: 0, shed: 0, failed: 0 }
  #startedAt: number
  #firstFailure: string | undefined
  #latestMilliseconds = 0

  constructor(clock: Clock, seconds: number, shards: number) {
    this.#clock = clock
    this.#startedAt = clock.now()
    this.#offered = zeros(seconds)
    this.#accepted = zeros(seconds)
    this.#throttled = zeros(seconds)
    this.#acceptedOfViralFile = zeros(seconds)
    this.#shardChanges = [{ atSeconds: 0, shards }]
  }

  /** Time counts from this call. */
  start(): void {
    this.#startedAt = this.#clock.now()
  }

  offered(): void {
    this.#totals.offered++
    this.#count(this.#offered)
  }

  accepted(): void {
    this.#totals.accepted++
    this.#count(this.#accepted)
  }

  /** Counts an acknowledged write of the viral file, in addition to `accepted`. */
  acceptedOfViralFile(sortKey: string): void {
    this.#acknowledgedOfViralFile.push(sortKey)
    this.#count(this.#acceptedOfViralFile)
  }

  throttledAttempt(): void {
    this.#totals.throttledAttempts++
    this.#count(this.#throttled)
  }

  givenUp(): void {
    this.#totals.givenUp++
  }

  shed(): void {
    this.#totals.shed++
  }

  /** Notes how long after its time a write was sent. */
  late(milliseconds: number): void {
    this.#latestMilliseconds = Math.max(this.#latestMilliseconds, milliseconds)
  }

  failed(error: unknown): void {
    this.#totals.failed++
    this.#firstFailure ??= error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }

  shards(count: number): void {
    this.#shardChanges.push({ atSeconds: this.#elapsedSeconds, shards: count })
  }

  get shardsNow(): number {
    return this.#shardChanges.at(-1)?.shards ?? 0
  }

  get totals(): WriteTotals {
    return { ...this.#totals }
  }

  /** The first error other than throttling, if there was one. */
  get firstFailure(): string | undefined {
    return this.#firstFailure
  }

  /** How long after its time the latest write was sent: on virtual time never. */
  get latestMilliseconds(): number {
    return this.#latestMilliseconds
  }

  get shardChanges(): readonly ShardChange[] {
    return this.#shardChanges
  }

  get acknowledgedOfViralFile(): readonly string[] {
    return this.#acknowledgedOfViralFile
  }

  get acceptedOfViralFileBySecond(): readonly number[] {
    return this.#acceptedOfViralFile
  }

  get series(): SecondsSeries {
    return {
      offered: this.#offered,
      accepted: this.#accepted,
      throttled: this.#throttled,
      shards: this.#offered.map((_, second) => this.#shardsAtEndOf(second)),
    }
  }

  get #elapsedSeconds(): number {
    return (this.#clock.now() - this.#startedAt) / 1_000
  }

  #shardsAtEndOf(second: number): number {
    return this.#shardChanges.findLast(({ atSeconds }) => atSeconds < second + 1)?.shards ?? 0
  }

  #count(series: number[]): void {
    const second = Math.floor(this.#elapsedSeconds)
    const soFar = series[second]
    if (soFar !== undefined) series[second] = soFar + 1
  }
}

/** Mean of a series from the given second on. */
export function meanFrom(series: readonly number[], second: number): number {
  const counted = series.slice(second)
  return counted.length === 0 ? 0 : sumOf(counted) / counted.length
}

export function sumOf(numbers: readonly number[]): number {
  let sum = 0
  for (const number of numbers) sum += number
  return sum
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0)
}
