import type { Duration } from '@isotherm/runtime'

/** The durations of table changes, in milliseconds. */
export interface ControlPlaneDelays {
  readonly createTable: number
  readonly createTableWithIndexes: number
  readonly deleteTable: number
  readonly changeThroughput: number
  readonly toProvisioned: number
  /** The first switch to on-demand mode, and a switch back to it. */
  readonly toOnDemand: number
  readonly backToOnDemand: number
  /** How long the table is UPDATING when an index is added, and how long the backfill takes after that. */
  readonly setUpIndex: number
  readonly backfillIndex: number
  readonly deleteIndex: number
  readonly changeStream: number
  readonly changeSettings: number
  readonly raiseWarmThroughput: number
  readonly changeTimeToLive: number
  readonly enableInsights: number
  readonly disableInsights: number
}

/** Single delays of table changes, as a person writes them. */
export type ControlPlaneDelayOptions = { readonly [Change in keyof ControlPlaneDelays]?: Duration }

/** All changes complete at once, as tests need it. */
export const NO_DELAYS: ControlPlaneDelays = {
  createTable: 0,
  createTableWithIndexes: 0,
  deleteTable: 0,
  changeThroughput: 0,
  toProvisioned: 0,
  toOnDemand: 0,
  backToOnDemand: 0,
  setUpIndex: 0,
  backfillIndex: 0,
  deleteIndex: 0,
  changeStream: 0,
  changeSettings: 0,
  raiseWarmThroughput: 0,
  changeTimeToLive: 0,
  enableInsights: 0,
  disableInsights: 0,
}

/** How long the longest change takes. */
export function longestDelay(delays: ControlPlaneDelays): number {
  return Math.max(delays.setUpIndex + delays.backfillIndex, ...Object.values(delays))
}

const SECOND = 1000
const MINUTE = 60_000

/**
 * The middle of what others measured on the service in 2026: tables 2 to 9.5 s, with indexes about 16 s; throughput 1
 * to 2 s; modes 60 to 172 s; an index 25 to 56 s and then 7 to 16 minutes, even on an empty table. Deletions, streams
 * and classes were not measured. They are assumed to take as long as the most similar change that was.
 */
export const REAL_DELAYS: ControlPlaneDelays = {
  createTable: 6 * SECOND,
  createTableWithIndexes: 16 * SECOND,
  deleteTable: 6 * SECOND,
  changeThroughput: 1.5 * SECOND,
  toProvisioned: 80 * SECOND,
  toOnDemand: 150 * SECOND,
  backToOnDemand: 4.5 * SECOND,
  setUpIndex: 40 * SECOND,
  backfillIndex: 10 * MINUTE,
  deleteIndex: 40 * SECOND,
  changeStream: 2 * SECOND,
  changeSettings: 2 * SECOND,
  raiseWarmThroughput: 380 * SECOND,
  changeTimeToLive: 40 * SECOND,
  enableInsights: 1.5 * SECOND,
  disableInsights: 2.5 * SECOND,
}
