/** One-minute figures are all there are; longer periods are made of them. */
export const MINUTE = 60_000

type DimensionName = 'TableName' | 'GlobalSecondaryIndexName' | 'Operation' | 'StreamLabel'

export type Dimensions = { readonly [Name in DimensionName]?: string }

/** Which metric it is, of what. */
export interface MetricId {
  readonly region: string
  readonly name: string
  readonly dimensions: Dimensions
}

/** What was measured in one minute. */
export interface MetricPoint {
  /** When the minute began, in milliseconds since the epoch. */
  readonly at: number
  readonly count: number
  readonly sum: number
  readonly minimum: number
  readonly maximum: number
}

/** A metric that can be asked for its points. */
export interface MetricSource {
  readonly id: MetricId
  /** When the last point was, by now; nothing when there is none. */
  lastAt(now: number): number | undefined
  /** Points from `from` up to but not including `to`, oldest first; none later than now. */
  points(from: number, to: number, now: number): readonly MetricPoint[]
}

export function minuteOf(time: number): number {
  return time - (time % MINUTE)
}
