import { type MetricId, type MetricPoint, type MetricSource, MINUTE, minuteOf } from './metric-source.js'

/** The number of builds remembered for indexes of one name. */
const MAX_BUILDS = 20

interface Build {
  readonly from: number
  /** When the build ends at the earliest. */
  readonly until: number
  completedAt?: number
  /** When the index was deleted. */
  deletedAt?: number
}

/**
 * The progress metric of a global index's backfill. A backfill consumes none of the index's metered capacity and is
 * never throttled, so the other metrics of an index build are zero.
 */
export class BuildProgress {
  readonly sources: readonly MetricSource[]
  readonly #builds: Build[] = []

  /** @param idOf returns the index's metric of that name. */
  constructor(idOf: (name: string) => MetricId) {
    const zero = () => 0
    this.sources = [
      this.#source(idOf('OnlineIndexPercentageProgress'), progressAt),
      this.#source(idOf('OnlineIndexConsumedWriteCapacity'), zero),
      this.#source(idOf('OnlineIndexThrottleEvents'), zero),
    ]
  }

  begin(from: number, until: number): void {
    this.#builds.push({ from, until })
    if (this.#builds.length > MAX_BUILDS) this.#builds.shift()
  }

  complete(now: number): void {
    const build = this.#builds.at(-1)
    if (build !== undefined) build.completedAt ??= now
  }

  /** Ends the builds of an index that is gone, complete or not. */
  ended(now: number): void {
    for (const build of this.#builds) build.deletedAt ??= now
  }

  #source(id: MetricId, valueAt: (build: Build, time: number) => number): MetricSource {
    const points = (from: number, to: number, now: number) =>
      this.#builds.flatMap((build) => pointsOf(build, from, to, now, valueAt))
    const lastAt = (now: number) => points(0, Number.POSITIVE_INFINITY, now).at(-1)?.at
    return { id, points, lastAt }
  }
}

function endOf({ until, completedAt }: Build): number {
  return completedAt === undefined ? Number.POSITIVE_INFINITY : Math.max(until, completedAt)
}

/** In percent. A build is not at 100 until every item has its entry, even after its planned end. */
function progressAt(build: Build, time: number): number {
  const { from, until } = build
  if (time >= endOf(build)) return 100
  if (time >= until) return 99
  return Math.max(0, Math.min(99, (100 * (time - from)) / (until - from)))
}

function pointsOf(
  build: Build,
  from: number,
  to: number,
  now: number,
  valueAt: (build: Build, time: number) => number,
): readonly MetricPoint[] {
  const points: MetricPoint[] = []
  const seen = Math.min(now, build.deletedAt ?? now)
  const last = Math.min(endOf(build), to - 1, seen)
  for (let at = Math.max(minuteOf(build.from), minuteOf(from)); at <= last; at += MINUTE) {
    // The value of a minute is the progress at its end.
    const value = valueAt(build, Math.min(at + MINUTE, seen))
    points.push({ at, count: 1, sum: value, minimum: value, maximum: value })
  }
  return points
}
