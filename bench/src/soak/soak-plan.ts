/** How long the soak runs, and what happens when. All times are in milliseconds. */
export interface SoakPlan {
  readonly duration: number
  /** Processes are killed until then. Memory and latency are compared afterwards, because a new process begins with little memory. */
  readonly killsUntil: number
  readonly killEvery: number
  /** After so long, writers turn to the next key. So keys keep growing, cooling down and losing shards. */
  readonly keyLifetime: number
  /** Of an append, until time to live removes it. */
  readonly appendLifetime: number
  /** Of one row of the report. */
  readonly period: number
}

const MINUTE = 60_000
const PERIODS = 10

export function soakPlan(minutes: number): SoakPlan {
  const duration = minutes * MINUTE
  return {
    duration,
    killsUntil: duration / 3,
    killEvery: Math.min(MINUTE / 2, duration / 12),
    keyLifetime: Math.min(2 * MINUTE, duration / 3),
    appendLifetime: Math.min(MINUTE, duration / 4),
    period: duration / PERIODS,
  }
}
