import type { Random } from '@isotherm/runtime'
import { latestMilliseconds } from '../latest-milliseconds.js'
import type { Settings, WorkloadName } from '../settings.js'

/** What a world can do besides, of which a run does one thing at most: each would hide what others show. */
export const MODE_NAMES = [
  'beyond-the-bound',
  'slow-shard-map',
  'mixed-options',
  'full-card',
  'tiny-processes',
  'read-limits',
  'table-limit',
  'shard-map-outage',
] as const

export type ModeName = (typeof MODE_NAMES)[number]

export interface Mode {
  /** Where it can show anything. */
  readonly workloads: readonly WorkloadName[]
  /** Rules that do not hold then. The documents say so. */
  readonly notPromised: readonly string[]
  apply(drawn: Settings, random: Random): Settings
}

/** Those that append single items, by their keys, to one table. */
export const SINGLE_APPENDS: readonly WorkloadName[] = [
  'hot-key-ramp',
  'flash-crowd',
  'moving-hot-spot',
  'steady-zipf',
]

/** Nothing that takes a run to itself, and nothing that stops what a mode is about. */
export function without(drawn: Settings): Settings {
  return {
    ...drawn,
    losesShardMaps: false,
    steady: undefined,
    table: { ...drawn.table, isFixed: false, migrateTo: 0 },
  }
}

/** The same run with other options of the table. Its requests are as late as these allow. */
export function withOptions(settings: Settings, options: Partial<Settings['table']>): Settings {
  const table = { ...settings.table, ...options }
  const { faults } = settings
  return {
    ...settings,
    table,
    faults: { ...faults, latestMilliseconds: latestMilliseconds(table, faults.drift) },
  }
}
