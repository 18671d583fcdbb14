import { dynamicShards } from 'isotherm'
import { ScenarioError } from '../scenario-error.js'

/** The options of the sharded strategies. */
export interface ShardingParameters {
  /** Shards of every file with the fixed suffix. */
  readonly fixedShards: number
  /** A file's initial shards where the count is dynamic. */
  readonly initialShards: number
  /** A file's maximum of shards where the count is dynamic. */
  readonly maxShards: number
  /** Seconds between a change of a file's count and the next one. */
  readonly cooldownSeconds: number
  /** Bounds of the random time for which the heat is measured before a change, in seconds. */
  readonly jitterSeconds: readonly [from: number, to: number]
}

const { initial, max, cooldownMilliseconds, jitterMilliseconds } = dynamicShards()
const [shortest, longest] = jitterMilliseconds

/** The defaults of the library, so that the run shows what it does without any settings. */
export const DEFAULT_SHARDING: ShardingParameters = {
  fixedShards: 10,
  initialShards: initial,
  maxShards: max,
  cooldownSeconds: cooldownMilliseconds / 1_000,
  jitterSeconds: [shortest / 1_000, longest / 1_000],
}

/** The library's own limit on shards a key. */
export const MAX_SHARDS = 1_000
/** The longest cooldown and jitter of a run. */
export const MAX_SECONDS = 3_600

/** @throws ScenarioError `sharding.out-of-range` */
export function checkShardingParameters(parameters: ShardingParameters): void {
  const { fixedShards, initialShards, maxShards, cooldownSeconds, jitterSeconds } = parameters
  const [from, to] = jitterSeconds
  requireWhole('fixedShards', fixedShards, 1, MAX_SHARDS)
  requireWhole('maxShards', maxShards, 1, MAX_SHARDS)
  requireWhole('initialShards', initialShards, 1, maxShards)
  requireNumber('cooldownSeconds', cooldownSeconds, 0, MAX_SECONDS)
  requireNumber('jitterSeconds', to, 0, MAX_SECONDS)
  requireNumber('the first of jitterSeconds', from, 0, to)
}

function requireWhole(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value)) throw outOfRange(name, value, `a whole number from ${min} to ${max}`)
  requireNumber(name, value, min, max)
}

function requireNumber(name: string, value: number, min: number, max: number): void {
  if (!(value >= min && value <= max)) throw outOfRange(name, value, `a number from ${min} to ${max}`)
}

function outOfRange(name: string, value: number, rule: string): ScenarioError {
  return new ScenarioError('sharding.out-of-range', `${name} is ${value}; it must be ${rule}.`)
}
