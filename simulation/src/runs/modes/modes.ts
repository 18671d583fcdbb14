import { chanceFor } from '../../world/seeds.js'
import type { Settings, WorkloadName } from '../settings.js'
import { BEYOND_THE_BOUND } from './beyond-the-bound.js'
import { FULL_CARD } from './full-card.js'
import { MIXED_OPTIONS } from './mixed-options.js'
import { MODE_NAMES, type Mode, type ModeName } from './mode.js'
import { READ_LIMITS } from './read-limits.js'
import { SHARD_MAP_OUTAGE } from './shard-map-outage.js'
import { SLOW_SHARD_MAP } from './slow-shard-map.js'
import { TABLE_LIMIT } from './table-limit.js'
import { TINY_PROCESSES } from './tiny-processes.js'

/** All there are. */
export const MODES: Readonly<Record<ModeName, Mode>> = {
  'beyond-the-bound': BEYOND_THE_BOUND,
  'slow-shard-map': SLOW_SHARD_MAP,
  'mixed-options': MIXED_OPTIONS,
  'full-card': FULL_CARD,
  'tiny-processes': TINY_PROCESSES,
  'read-limits': READ_LIMITS,
  'table-limit': TABLE_LIMIT,
  'shard-map-outage': SHARD_MAP_OUTAGE,
}

/** Of the runs that a mode fits. */
const SHARE_OF_MODES = 0.2

/** Drawn for seeds that have none of the others, so that the runs of most older seeds stay what they were. */
const DRAWN_LAST: ModeName = 'shard-map-outage'
const SHARE_OF_LAST = 0.05

/** What a mode draws, and whether a run has one: apart, so that everything else of a seed stays what it was. */
const CHANCE_OF_MODES = 12

/** The same run in this mode. */
export function inMode(settings: Settings, mode: ModeName): Settings {
  const applied = MODES[mode].apply(settings, chanceFor(settings.seed, CHANCE_OF_MODES + 1))
  return { ...applied, mode }
}

/** The run in a mode that fits its workload, for some seeds. */
export function withDrawnMode(settings: Settings): Settings {
  const random = chanceFor(settings.seed, CHANCE_OF_MODES)
  const isDrawn = random.next() < SHARE_OF_MODES
  const fits = (name: ModeName) => MODES[name].workloads.includes(settings.workload)
  const fitting = MODE_NAMES.filter((name) => name !== DRAWN_LAST && fits(name))
  const mode = fitting[Math.floor(random.next() * fitting.length)]
  if (isDrawn && mode !== undefined) return inMode(settings, mode)
  return random.next() < SHARE_OF_LAST && fits(DRAWN_LAST) ? inMode(settings, DRAWN_LAST) : settings
}

/** Those of the workloads in which a mode can show something. */
export function workloadsOf(mode: ModeName, workloads: readonly WorkloadName[]): readonly WorkloadName[] {
  return workloads.filter((workload) => MODES[mode].workloads.includes(workload))
}
