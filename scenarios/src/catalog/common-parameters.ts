import type { ScenarioParameter } from './scenario.js'

const MAX_SEED = 2_147_483_647

/** The same seed gives the same run, to the last figure. */
export const SEED: ScenarioParameter = {
  name: 'seed',
  flag: '--seed <number>',
  description: 'the same figures for the same number',
  default: 1,
  min: 0,
  max: MAX_SEED,
  isWhole: true,
}

/** The size of a scenario that compares two ways. */
export const SCALE: ScenarioParameter = {
  name: 'scale',
  flag: '--scale <share>',
  description: 'of the usual load',
  default: 1,
  // Less is too little to throttle, and more takes minutes.
  min: 0.1,
  max: 4,
  isWhole: false,
}
