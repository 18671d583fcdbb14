import { readAccessLog, sampleLogPath } from '../hot-file/access-log.js'
import type { HotFileSettings } from '../hot-file/hot-file-run.js'
import { rehearseHotFile } from '../hot-file/rehearse.js'
import { DEFAULT_SHARDING } from '../hot-file/sharding-parameters.js'
import { STRATEGIES, type StrategyName } from '../hot-file/strategy.js'
import { totalSeconds, type WorkloadParameters } from '../hot-file/workload-parameters.js'
import { ScenarioError } from '../scenario-error.js'
import { checkedValues } from './checked-values.js'
import { HOT_FILE_PARAMETERS, HOT_FILE_WORKLOAD } from './hot-file-parameters.js'
import { hotFileProgress, hotFileResult } from './hot-file-result.js'
import type { Scenario, ScenarioValues } from './scenario.js'

/** What one process writes in a few minutes. A run that is started from a page must come to its end. */
const MAX_WRITES = 2_000_000

/** The scenario that Isotherm began with: one file of an audit log goes viral. */
export const HOT_FILE: Scenario = {
  name: 'hot-file',
  title: 'Hot file in an audit log',
  description:
    'replay a real access log as an audit log; one file goes viral; three ways to store it, side by side',
  parameters: HOT_FILE_PARAMETERS,
  async rehearse(values, { onProgress }) {
    const settings = hotFileSettings(values, { strategies: STRATEGIES, tablePrefix: 'hot_file_' })
    const { report } = await rehearseHotFile(settings, {
      onProgress: (progress) => onProgress?.(hotFileProgress(progress)),
    })
    return hotFileResult(report)
  },
}

/**
 * The settings of a run with these parameters, on the sample log.
 * @throws ScenarioError `parameter.unknown`, `parameter.out-of-range` or `run.too-large`
 */
export function hotFileSettings(
  values: ScenarioValues,
  { strategies, tablePrefix }: { readonly strategies: readonly StrategyName[]; readonly tablePrefix: string },
): HotFileSettings {
  const given = checkedValues(HOT_FILE_PARAMETERS, values)
  const value = (name: string) => given[name] ?? 0
  const names = HOT_FILE_WORKLOAD.map(({ name }) => [name, value(name)] as const)
  const workload = Object.fromEntries(names) as unknown as WorkloadParameters
  const { baseWritesPerSecond, viralWritesPerSecond } = workload
  const writes = strategies.length * totalSeconds(workload) * (baseWritesPerSecond + viralWritesPerSecond)
  if (writes > MAX_WRITES) {
    const text = `The run has ${writes.toLocaleString('en')} writes; it must have at most ${MAX_WRITES.toLocaleString('en')}.`
    throw new ScenarioError('run.too-large', `${text} Give a lower rate or less time.`)
  }
  if (value('initialShards') > value('maxShards')) {
    const text = `The parameter initialShards is ${value('initialShards')}. Give at most maxShards, which is ${value('maxShards')}.`
    throw new ScenarioError('parameter.out-of-range', text)
  }
  const sharding = {
    fixedShards: value('fixedShards'),
    initialShards: value('initialShards'),
    maxShards: value('maxShards'),
    cooldownSeconds: value('cooldownSeconds'),
    jitterSeconds: DEFAULT_SHARDING.jitterSeconds,
  }
  return {
    log: readAccessLog(sampleLogPath),
    strategies,
    seed: value('seed'),
    tablePrefix,
    workload,
    sharding,
  }
}
