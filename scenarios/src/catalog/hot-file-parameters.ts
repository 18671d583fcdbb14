import { DEFAULT_SHARDING, MAX_SECONDS, MAX_SHARDS } from '../hot-file/sharding-parameters.js'
import {
  DEFAULT_WORKLOAD,
  isWholeParameter,
  WORKLOAD_BOUNDS,
  type WorkloadParameters,
} from '../hot-file/workload-parameters.js'
import { SEED } from './common-parameters.js'
import type { ScenarioParameter } from './scenario.js'

function ofWorkload(name: keyof WorkloadParameters, flag: string, description: string): ScenarioParameter {
  const [min, max] = WORKLOAD_BOUNDS[name]
  return {
    name,
    flag,
    description,
    default: DEFAULT_WORKLOAD[name],
    min,
    max,
    isWhole: isWholeParameter(name),
  }
}

/** The size of the workload. */
export const HOT_FILE_WORKLOAD: readonly ScenarioParameter[] = [
  ofWorkload('baseWritesPerSecond', '--base-rate <writes/s>', 'of the log'),
  ofWorkload('viralWritesPerSecond', '--viral-rate <writes/s>', 'of the viral file on top'),
  ofWorkload('calmSeconds', '--calm <seconds>', 'before the file goes viral'),
  ofWorkload('rampSeconds', '--ramp <seconds>', 'until it is at its height'),
  ofWorkload('holdSeconds', '--hold <seconds>', 'for which it stays there'),
  ofWorkload('itemBytes', '--item-bytes <bytes>', 'pad items to this size'),
  ofWorkload('maxInFlight', '--max-in-flight <writes>', 'unanswered writes of one strategy'),
]

const SHARDS = { min: 1, max: MAX_SHARDS, isWhole: true } as const

/** The options of the sharded strategies that are one number. */
export const HOT_FILE_SHARDING: readonly ScenarioParameter[] = [
  {
    name: 'fixedShards',
    flag: '--shards <number>',
    description: 'of the fixed strategy',
    default: DEFAULT_SHARDING.fixedShards,
    ...SHARDS,
  },
  {
    name: 'initialShards',
    flag: '--initial-shards <number>',
    description: 'that a dynamic key starts with',
    default: DEFAULT_SHARDING.initialShards,
    ...SHARDS,
  },
  {
    name: 'maxShards',
    flag: '--max-shards <number>',
    description: 'that a dynamic key may get',
    default: DEFAULT_SHARDING.maxShards,
    ...SHARDS,
  },
  {
    name: 'cooldownSeconds',
    flag: '--cooldown <seconds>',
    description: 'between changes of a key',
    default: DEFAULT_SHARDING.cooldownSeconds,
    min: 0,
    max: MAX_SECONDS,
    isWhole: false,
  },
]

/** All parameters of the scenario that are numbers. */
export const HOT_FILE_PARAMETERS: readonly ScenarioParameter[] = [
  ...HOT_FILE_WORKLOAD,
  ...HOT_FILE_SHARDING,
  SEED,
]
