import type { Mutant } from './mutant.js'
import { LOGS } from './shown-by.js'

/** Bugs of scaling. */
export const MUTANTS_OF_SCALING: readonly Mutant[] = [
  {
    name: 'a hot key never grows',
    file: 'scaling/scaler.js',
    text: 'consider(key) {',
    replacement: 'consider(key) { return;',
    seeds: 60,
    workloads: LOGS,
  },
  {
    name: 'a count changes without a cooldown',
    file: 'scaling/scaler.js',
    text: 'return clock.now() - countChangedAt(state) * 1_000 >= shards.cooldownMilliseconds;',
    replacement: 'return true;',
    seeds: 100,
    workloads: LOGS,
  },
  {
    name: 'every throttled key is taken for hot',
    file: 'sensing/own-evidence.js',
    text: 'return fleetUnitsPerSecond >= MIN_SHARE_OF_PARTITION * partitionUnitsPerSecond;',
    replacement: 'return true;',
    seeds: 200,
    workloads: ['hot-key-ramp', 'flash-crowd'],
  },
]
