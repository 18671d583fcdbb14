import { DEFAULT_PLAN_INPUT, type LogColumns, type PlanInput } from '@isotherm/advisor'
import { Command } from 'commander'
import { CommandError } from '../command-error.js'
import { httpUrl, number, oneOf, region, wholeNumber } from '../flags.js'
import { OptionRules } from '../option-rules.js'

/** The flags of `isotherm plan`. */
export interface PlanFlags {
  readonly from?: string
  readonly columns?: LogColumns
  readonly as?: 'writes' | 'reads'
  readonly rate?: number
  readonly window?: number
  readonly table?: string
  readonly endpoint?: URL
  readonly region?: string
  readonly profile?: string
  readonly hours?: number
  readonly sample?: number
  readonly partitionKey?: string
  readonly sortKey?: string
  readonly writes?: number
  readonly reads?: number
  readonly hotWrites?: number
  readonly hotReads?: number
  readonly meanWrites?: number
  readonly meanReads?: number
  readonly keys?: number
  readonly itemBytes?: number
  readonly storedGb?: number
  readonly page: number
  readonly consistent?: boolean
  readonly order?: PlanInput['order']
  readonly access: PlanInput['access']
  readonly ramp: number
  readonly localIndex?: boolean
  readonly partitions?: number
  readonly provisionedWrites?: number
  readonly headRoom: number
  readonly confidence: number
  readonly prices?: string
  readonly priceRegion?: string
  readonly seed: number
  readonly verify?: boolean
  readonly json?: boolean
}

const MAX_RATE = 10_000_000

/** The command with its flags, and without what it does. */
export function planFlags(): Command {
  const command = new Command('plan')
    .option(
      '--writes <number>',
      'writes a second of the whole table at its peak',
      number('--writes', 0, MAX_RATE),
    )
    .option(
      '--reads <number>',
      'reads (pages) a second of the whole table at its peak',
      number('--reads', 0, MAX_RATE),
    )
    .option(
      '--hot-writes <number>',
      'of them, writes to the hottest key',
      number('--hot-writes', 0, MAX_RATE),
    )
    .option('--hot-reads <number>', 'of them, reads of the hottest key', number('--hot-reads', 0, MAX_RATE))
    .option(
      '--mean-writes <number>',
      'writes a second over the month, for the price; by default the peak',
      number('--mean-writes', 0, MAX_RATE),
    )
    .option('--mean-reads <number>', 'the same for reads', number('--mean-reads', 0, MAX_RATE))
    .option('--keys <number>', 'how many different partition keys there are', wholeNumber('--keys', 1, 1e12))
    .option(
      '--item-bytes <bytes>',
      'the mean size of an item; 1,024 if nothing says it',
      wholeNumber('--item-bytes', 1, 409_600),
    )
    .option('--stored-gb <number>', 'the size of the table', number('--stored-gb', 0, 1e9))
    .option(
      '--from <file>',
      'rates from a log (TSV or CSV with a heading), or from a trace of isotherm local --trace',
    )
    .option('--columns <names>', 'of the log: time=NAME,key=NAME,operation=NAME,bytes=NAME', columnsOf)
    .option(
      '--as <kind>',
      'what a line of the log is without an operation; writes by default',
      oneOf('--as', ['writes', 'reads'] as const),
    )
    .option(
      '--rate <factor>',
      'how much denser the traffic shall be than in the log',
      number('--rate', 0.000_001, MAX_RATE),
    )
    .option(
      '--window <seconds>',
      'the time over which peaks are averaged; 60 for logs, 1 for traces',
      wholeNumber('--window', 1, 86_400),
    )
    .option(
      '--table <name>',
      'a table, for its definition, items and metrics; or a name for the plan, or of the trace',
    )
    .option('--endpoint <url>', 'the endpoint of an engine other than Amazon DynamoDB', httpUrl('--endpoint'))
    .option('--region <name>', "the table's region; the SDK's own by default", region('--region'))
    .option('--profile <name>', 'of the AWS configuration')
    .option(
      '--hours <number>',
      'of metrics of the table that are looked at; 24 by default',
      wholeNumber('--hours', 1, 24 * 14),
    )
    .option(
      '--sample <items>',
      'items of the table that are sampled; 1,000 by default',
      wholeNumber('--sample', 0, 100_000),
    )
    .option('--partition-key <name>', 'its name, for the code')
    .option('--sort-key <name>', 'its name, for the code')
    .option(
      '--order <order>',
      'new items of a key: rising (at the end), spread, or single-item (one item is updated); rising by default, and single-item for a table without a sort key',
      oneOf('--order', ['rising', 'spread', 'single-item'] as const),
    )
    .option(
      '--access <kind>',
      'append, or update for items that are read and changed one by one',
      oneOf('--access', ['append', 'update'] as const),
      'append',
    )
    .option('--ramp <minutes>', 'how long the traffic takes to reach its peak', number('--ramp', 0, 1e6), 0)
    .option('--local-index', 'the table has a local index')
    .option(
      '--page <items>',
      'items that readers ask for at a time; 1 for single items',
      wholeNumber('--page', 1, 10_000),
      25,
    )
    .option('--consistent', 'readers ask for consistent reads')
    .option(
      '--partitions <number>',
      'partitions that the table has; 4 for a new on-demand table',
      wholeNumber('--partitions', 1, 100_000),
    )
    .option(
      '--provisioned-writes <units>',
      'write units that are provisioned',
      wholeNumber('--provisioned-writes', 1, 1e7),
    )
    .option(
      '--head-room <share>',
      'of a partition that stays free',
      number('--head-room', 0, 0.9),
      DEFAULT_PLAN_INPUT.headRoom,
    )
    .option(
      '--confidence <share>',
      'odds with which no partition is throttled',
      number('--confidence', 0.5, 0.9999),
      DEFAULT_PLAN_INPUT.confidence,
    )
    .option('--prices <file>', 'another price list, as JSON')
    .option('--price-region <name>', 'the region of the prices', region('--price-region'))
    .option(
      '--seed <number>',
      'for simulated odds and the rehearsal',
      wholeNumber('--seed', 0, 2 ** 31 - 1),
      1,
    )
    .option('--verify', 'rehearse the plan on the local engine')
    .option('--json', 'print one line of JSON instead of the page')
  new OptionRules(command)
    .needs(['--columns', '--as', '--rate', '--window'], ['--from'])
    // The region is also that of the prices.
    .needs(['--endpoint', '--profile', '--hours', '--sample'], ['--table'])
    .excludes(['--endpoint', '--profile', '--hours', '--sample'], ['--from'])
  return command
}

const COLUMNS = ['time', 'key', 'operation', 'bytes'] as const

function columnsOf(text: string): LogColumns {
  const pairs = text.split(',').map((pair) => {
    const [, member = '', name = ''] = /^(\w+)=(.+)$/.exec(pair) ?? []
    const known = COLUMNS.find((each) => each === member)
    if (known !== undefined) return [known, name]
    throw new CommandError(
      `--columns is '${text}'; it must be time=NAME,key=NAME, and operation=NAME and bytes=NAME if the log has them.`,
    )
  })
  return Object.fromEntries(pairs)
}
