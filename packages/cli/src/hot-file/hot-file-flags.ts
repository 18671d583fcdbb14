import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  DEFAULT_SHARDING,
  DEFAULT_TABLE_PREFIX,
  HOT_FILE_SHARDING,
  HOT_FILE_WORKLOAD,
  type HotFileSettings,
  readAccessLog,
  SEED,
  STRATEGIES,
  type StrategyName,
  sampleLogPath,
} from '@isotherm/scenarios'
import { type Command, Option } from 'commander'
import { CommandError, EXIT_FAILED } from '../command-error.js'
import { httpUrl, listOf, numberRange, tablePrefix, wholeNumber } from '../flags.js'
import { OptionRules } from '../option-rules.js'
import { addParameters } from '../parameter-flags.js'

/** The flags of `isotherm run hot-file`, parsed. */
export interface HotFileFlags {
  readonly once?: boolean
  readonly json?: boolean
  readonly seed: number
  readonly port: number
  readonly endpoint?: URL
  readonly region?: string
  readonly profile?: string
  readonly tablePrefix: string
  readonly keepTables?: boolean
  /** The chart's path; `false` for `--no-chart`. */
  readonly chart: string | false
  readonly log?: string
  readonly file?: string
  readonly strategies: readonly StrategyName[]
  readonly baseRate: number
  readonly viralRate: number
  readonly calm: number
  readonly ramp: number
  readonly hold: number
  readonly itemBytes: number
  readonly maxInFlight: number
  readonly shards: number
  readonly initialShards: number
  readonly maxShards: number
  readonly cooldown: number
  readonly jitter: readonly [from: number, to: number]
}

/** A table's name has at most 255 characters, and the longest suffix after the prefix is `dynamic_shard_map`. */
const MAX_PREFIX_LENGTH = 230
const MAX_SECONDS = 3_600

export function addHotFileFlags(command: Command): void {
  command
    .option('--once', 'on virtual time, with the same figures on every machine; then exit')
    .option('--json', 'print one line of JSON; the table goes to standard error')
    .option(
      '--seed <number>',
      'seed of the workload',
      wholeNumber('--seed', SEED.min, SEED.max),
      SEED.default,
    )
    .option('--chart <file>', 'where the chart is written, as SVG', 'hot-file.svg')
    .option('--no-chart', 'write no chart')
    .addOption(
      new Option('--strategies <names>', `which of ${STRATEGIES.join(',')}`)
        .argParser(listOf('--strategies', STRATEGIES))
        .default(STRATEGIES, 'all'),
    )
  addWorkloadFlags(command)
  addShardingFlags(command)
  addEndpointFlags(command)
  new OptionRules(command)
    .excludes(['--port'], ['--once', '--endpoint'])
    .needs(['--region', '--profile', '--keep-tables'], ['--endpoint'])
    .needs(['--shards'], ['--strategies fixed'])
    .needs(['--initial-shards', '--max-shards', '--cooldown', '--jitter'], ['--strategies dynamic'])
}

function addWorkloadFlags(command: Command): void {
  command
    .optionsGroup('Workload:')
    .option('--log <file>', 'access log to replay (default: the sample that comes along)')
    .option('--file <path>', 'path in the log that goes viral (default: its busiest)')
  addParameters(command, HOT_FILE_WORKLOAD)
}

function addShardingFlags(command: Command): void {
  const defaults = DEFAULT_SHARDING
  addParameters(command.optionsGroup('Sharding:'), HOT_FILE_SHARDING).addOption(
    new Option(
      '--jitter <from,to>',
      'bounds in seconds of the random time for which the heat is measured before a change',
    )
      .argParser(numberRange('--jitter', 0, MAX_SECONDS))
      .default(defaults.jitterSeconds, defaults.jitterSeconds.join()),
  )
}

function addEndpointFlags(command: Command): void {
  command
    .optionsGroup('Endpoint:')
    .option(
      '--port <number>',
      'of the local endpoint; if taken, the next',
      wholeNumber('--port', 0, 65_535),
      8_000,
    )
    .option('--endpoint <url>', 'run against this endpoint instead, on real time', httpUrl('--endpoint'))
    .option('--region <name>', 'region of that endpoint (default: as the AWS SDK finds it)')
    .option('--profile <name>', 'profile of the credentials for that endpoint')
    .option(
      '--table-prefix <text>',
      "of the tables' names",
      tablePrefix('--table-prefix', MAX_PREFIX_LENGTH),
      DEFAULT_TABLE_PREFIX,
    )
    .option('--keep-tables', 'leave the tables at that endpoint')
}

/** @throws CommandError, ScenarioError `access-log.unreadable`, `access-log.malformed-line` or `access-log.empty` */
export function settingsOf(flags: HotFileFlags): HotFileSettings {
  if (flags.initialShards > flags.maxShards) {
    throw new CommandError(
      `--initial-shards is ${flags.initialShards}; it must not be above --max-shards, which is ${flags.maxShards}.`,
    )
  }
  if (flags.chart !== false) requireWritable(flags.chart)
  return {
    log: readAccessLog(flags.log ?? sampleLogPath),
    viralPath: flags.file,
    strategies: flags.strategies,
    seed: flags.seed,
    tablePrefix: flags.tablePrefix,
    workload: {
      baseWritesPerSecond: flags.baseRate,
      viralWritesPerSecond: flags.viralRate,
      calmSeconds: flags.calm,
      rampSeconds: flags.ramp,
      holdSeconds: flags.hold,
      itemBytes: flags.itemBytes,
      maxInFlight: flags.maxInFlight,
    },
    sharding: {
      fixedShards: flags.shards,
      initialShards: flags.initialShards,
      maxShards: flags.maxShards,
      cooldownSeconds: flags.cooldown,
      jitterSeconds: flags.jitter,
    },
  }
}

/** Checks the path before the run rather than a minute later. */
function requireWritable(chart: string): void {
  const folder = dirname(resolve(chart))
  try {
    if (statSync(chart, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a folder')
    accessSync(folder, constants.W_OK)
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'it is a folder'
    throw new CommandError(
      `The chart cannot be written to ${chart} (${reason}); name another file with --chart, or use --no-chart.`,
      EXIT_FAILED,
      { cause },
    )
  }
}
