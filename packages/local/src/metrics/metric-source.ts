/** All metrics have a resolution of one minute. Longer periods are computed from it. */
export const MINUTE = 60_000

type DimensionName = 'TableName' | 'GlobalSecondaryIndexName' | 'Operation' | 'StreamLabel'

export type Dimensions = { readonly [Name in DimensionName]?: string }

/** The name and the dimensions of a metric. */
export interface MetricId {
  readonly region: string
  readonly name: string
  readonly dimensions: Dimensions
}

/** The samples of one minute. */
export interface MetricPoint {
  /** The start of the minute, in milliseconds since the epoch. */
  readonly at: number
  readonly count: number
  readonly sum: number
  readonly minimum: number
  readonly maximum: number
}

/** A metric whose points can be read. */
export interface MetricSource {
  readonly id: MetricId
  /** The time of the last point up to now, or `undefined` when there is none. */
  lastAt(now: number): number | undefined
  /** Points from `from` (inclusive) to `to` (exclusive), oldest first, and none after now. */
  points(from: number, to: number, now: number): readonly MetricPoint[]
}

export function minuteOf(time: number): number {
  return time - (time % MINUTE)
}
