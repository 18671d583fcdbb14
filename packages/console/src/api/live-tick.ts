/** The endpoint whose figures are shown does not answer. The console tries again by itself. */
export interface Outage {
  /** The endpoint, as people know it. */
  readonly endpoint: string
  /** When it was first found not to answer, in milliseconds since the epoch. */
  readonly since: number
}

/** What `live` sends once a second. */
export interface LiveTick {
  /** The time of the figures, in milliseconds since the epoch. */
  readonly now: number
  /** Absent while the endpoint answers. An engine in the same process always does. */
  readonly outage?: Outage
}
