import type { ControlPlaneLimits } from './capacity/control-plane-limits.js'
import type { ControlPlaneDelays } from './catalog/control-plane-delays.js'
import type { HeatLayerParameters, HeatParameters } from './heat-history/heat-parameters.js'
import type { LocalOptions } from './local.js'
import type { MetricsParameters } from './metrics/metrics-parameters.js'
import { pathOf } from './options/path-rule.js'
import {
  callback,
  duration,
  either,
  having,
  isObject,
  limit,
  membersOf,
  notNegative,
  oneOf,
  positive,
  type Rule,
  type RulesOf,
  text,
  truth,
  whole,
} from './options/rules.js'
import type { CapacityParameters } from './partition/capacity-parameters.js'
import type { StreamParameters } from './stream/stream-parameters.js'
import type { PropagationParameters } from './table/index-queue.js'

const CAPACITY: RulesOf<CapacityParameters> = {
  model: oneOf('adaptive', 'classic'),
  partitionReadUnitsPerSecond: positive,
  partitionWriteUnitsPerSecond: positive,
  partitionBurstSeconds: positive,
  indexPartitionBurstSeconds: positive,
  tableBurstSeconds: positive,
  onDemandMaximumBurstSeconds: positive,
  accountBurstSeconds: positive,
  onDemandPartitions: whole(1),
  onDemandHeadroom: positive,
  onDemandGrowthSeconds: notNegative,
  onDemandPeakSeconds: positive,
  tableUnitsPerSecond: positive,
  accountUnitsPerSecond: positive,
  decreasesPerDay: notNegative,
  decreaseIntervalSeconds: notNegative,
  onDemandSwitches: notNegative,
  onDemandSwitchSeconds: notNegative,
  partitionBytes: positive,
  itemCollectionBytes: positive,
  heatThreshold: notNegative,
  heatSeconds: notNegative,
}

const STREAMS: RulesOf<StreamParameters> = {
  streamRetentionMilliseconds: positive,
  streamShardMilliseconds: positive,
}

const PROPAGATION: RulesOf<PropagationParameters> = {
  indexQueueUnits: notNegative,
  indexLagMilliseconds: notNegative,
  readLagMilliseconds: notNegative,
}

const DELAYS: RulesOf<ControlPlaneDelays> = {
  createTable: duration,
  createTableWithIndexes: duration,
  deleteTable: duration,
  changeThroughput: duration,
  toProvisioned: duration,
  toOnDemand: duration,
  backToOnDemand: duration,
  setUpIndex: duration,
  backfillIndex: duration,
  deleteIndex: duration,
  changeStream: duration,
  changeSettings: duration,
  raiseWarmThroughput: duration,
  changeTimeToLive: duration,
  enableInsights: duration,
  disableInsights: duration,
}

const LIMITS: RulesOf<ControlPlaneLimits> = {
  changingRequestsPerSecond: notNegative,
  describingRequestsPerSecond: notNegative,
  insightsRequestsPerSecond: notNegative,
  describeLimitsPerMinute: notNegative,
  changesAtOnce: limit,
  changesAtOnceWithIndexes: limit,
}

const METRICS: RulesOf<MetricsParameters> = {
  retentionMilliseconds: positive,
  maxSeries: limit,
  maxPoints: limit,
  maxContributors: limit,
}

const LAYER: RulesOf<HeatLayerParameters> = { seconds: whole(1), columns: whole(1), keys: whole(0) }

/** Each layer is made of columns of the one before. */
function areLayers(layers: unknown): boolean {
  if (!Array.isArray(layers) || layers.length === 0) return false
  return layers.every((layer: unknown, at) => {
    if (!isObject(layer) || !Object.entries(LAYER).every(([name, rule]) => rule.fits(layer[name])))
      return false
    return at === 0 || Number(layer.seconds) % layers[at - 1].seconds === 0
  })
}

const HEAT: RulesOf<HeatParameters> = {
  layers: {
    text: 'a list of layers with seconds, columns and keys, whole numbers, whose seconds are a multiple of those of the layer before',
    fits: areLayers,
  },
  keysPerSecond: limit,
  maxCells: limit,
}

function notEmpty(rule: Rule): Rule {
  return { ...rule, fits: (value) => text.fits(value) && rule.fits(value) }
}

/** The rules of `createLocal`. */
export const LOCAL: RulesOf<LocalOptions> = {
  clock: having('a Clock with now() and sleep()', 'now', 'sleep'),
  random: having('a Random with next()', 'next'),
  throttle: truth,
  // An empty one has an error of its own.
  data: pathOf('a directory'),
  buckets: notEmpty(pathOf('a directory')),
  region: {
    // Signatures separate their parts with slashes, and tables of two spellings would be in two regions.
    text: '1 to 64 small letters, digits or hyphens, such as us-east-1',
    fits: (value) => typeof value === 'string' && /^[a-z0-9-]{1,64}$/.test(value),
  },
  capacity: membersOf(CAPACITY),
  streams: membersOf(STREAMS),
  propagation: membersOf(PROPAGATION),
  controlPlaneDelays: either(oneOf('none', 'real'), membersOf(DELAYS)),
  controlPlaneLimits: either(oneOf('none', 'real'), membersOf(LIMITS)),
  transactionMilliseconds: {
    text: 'a finite number from 0 up',
    fits: (value) => Number.isFinite(value) && Number(value) >= 0,
  },
  metrics: either(oneOf(false), membersOf(METRICS)),
  heat: either(truth, membersOf(HEAT)),
  trace: notEmpty(pathOf('a new file')),
  onPartitionEvent: callback,
  onCapacityEvent: callback,
  onBug: callback,
}
