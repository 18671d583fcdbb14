import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { Command } from 'commander'
import {
  calculated,
  type Duration,
  dynamicShards,
  IsothermError,
  rebuildShardMap,
  type ShardedTableOptions,
} from 'isotherm'
import { CommandError, EXIT_FAILED, EXIT_OK } from '../command-error.js'
import { connectTo } from '../endpoint-client.js'
import { httpUrl, oneOf, region, wholeNumber } from '../flags.js'
import { Interrupted, interruption } from '../interruption.js'
import { optionsFile } from '../options-file.js'
import { rebuildJson, rebuildProgressText, rebuildText } from '../presentation/rebuild-report.js'
import { type Terminal, writeLine } from '../terminal.js'

/** The options of the table, in flags or in a file. */
const TABLE_FLAGS = [
  'suffix',
  'from',
  'initial',
  'delimiter',
  'adopt',
  'shardMap',
  'cacheTtl',
  'lateRequests',
] as const

interface RebuildFlags {
  readonly table: string
  readonly options?: string
  readonly suffix?: 'random' | 'calculated'
  readonly from?: string
  readonly initial?: number
  readonly delimiter?: string
  readonly adopt?: boolean
  readonly shardMap?: string
  readonly cacheTtl?: Duration
  readonly lateRequests?: Duration
  readonly dryRun?: boolean
  readonly rate: number
  readonly endpoint?: URL
  readonly region?: string
  readonly profile?: string
  readonly json?: boolean
}

/** `isotherm shards rebuild`: a shard map that was lost, rebuilt from its table. */
export function rebuildCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return new Command('rebuild')
    .description(
      'rebuild the shard map from the items of the table, after it was deleted, emptied or restored',
    )
    .requiredOption('--table <name>', 'the table')
    .option(
      '--options <file>',
      "a module whose default export is the table's options; instead of the flags below",
    )
    .option(
      '--suffix <kind>',
      'random or calculated, as in the options of the application',
      oneOf('--suffix', ['random', 'calculated']),
    )
    .option('--from <attributes>', 'of calculated({ from }), with commas; the sort key without it')
    .option('--initial <shards>', 'as in dynamicShards; 1 without it', wholeNumber('--initial', 1, 1_000))
    .option('--delimiter <text>', 'between key and shard; _ without it')
    .option('--adopt', 'if the options have adopt: true')
    .option('--shard-map <name>', 'as in the options; <table>_shard_map without it')
    .option('--cache-ttl <duration>', 'as in the options, if they have it')
    .option('--late-requests <duration>', 'as in the options, if they have it')
    .option('--dry-run', 'read the table and report; nothing is written')
    .option(
      '--rate <units>',
      'capacity units a second that it may use',
      wholeNumber('--rate', 10, 10_000),
      100,
    )
    .option('--endpoint <url>', 'of another engine than Amazon DynamoDB', httpUrl('--endpoint'))
    .option('--region <name>', "the table's region; the SDK's own without it", region('--region'))
    .option('--profile <name>', 'the profile of the credentials')
    .option('--json', 'print one line of JSON instead of the text')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nThe application may run meanwhile. It uses nothing of the shard map until the rebuild is complete.\n' +
        'Ended early, the same command resumes the rebuild.\n' +
        'Counts of sharded indexes are rebuilt with --options only.\n' +
        'Exits with 1 if there are items that no count explains.\n' +
        '\nExamples:\n' +
        '  isotherm shards rebuild --table orders --suffix calculated --dry-run\n' +
        '  isotherm shards rebuild --table orders --suffix calculated --adopt --rate 1000\n' +
        '  isotherm shards rebuild --table orders --options ./orders.js\n',
    )
    .action(async (flags: RebuildFlags) => exit(await rebuilt(flags, terminal)))
}

async function rebuilt(flags: RebuildFlags, { out, err, display }: Terminal): Promise<number> {
  const { table, dryRun = false, rate, json } = flags
  const client = connectTo(flags.endpoint, flags.region, flags)
  const signal = interruption()
  try {
    const report = await rebuildShardMap(client, {
      table,
      options: await tableOptions(client, flags),
      dryRun,
      unitsPerSecond: rate,
      signal,
      onProgress: (progress) => {
        if (display !== undefined) writeLine(err, rebuildProgressText(progress))
      },
    })
    writeLine(out, json ? rebuildJson(report) : rebuildText(report, dryRun))
    return report.unexplained === 0 ? EXIT_OK : EXIT_FAILED
  } catch (error) {
    throw told(error, table)
  } finally {
    client.destroy()
  }
}

async function tableOptions(client: DynamoDBClient, flags: RebuildFlags): Promise<ShardedTableOptions> {
  if (flags.options !== undefined) {
    const doubled = TABLE_FLAGS.find((flag) => flags[flag] !== undefined)
    if (doubled === undefined) return optionsFile(flags.options)
    const name = doubled.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    throw new CommandError(`--${name} cannot be used with --options, which has it already.`)
  }
  const { table, suffix, from, initial = 1, delimiter, adopt, shardMap, cacheTtl, lateRequests } = flags
  if (suffix === undefined) {
    throw new CommandError(
      "--suffix is missing; it must be random or calculated, or use --options with the table's options.",
    )
  }
  if (from !== undefined && suffix !== 'calculated') {
    throw new CommandError(`--from is '${from}'; it is for --suffix calculated.`)
  }
  const { Table } = await client.send(new DescribeTableCommand({ TableName: table }))
  const nameOf = (type: string) => Table?.KeySchema?.find(({ KeyType }) => KeyType === type)?.AttributeName
  const [partitionKey, sortKey] = [nameOf('HASH'), nameOf('RANGE')]
  if (partitionKey === undefined) throw new CommandError(`${table} has no partition key.`, EXIT_FAILED)
  return {
    partitionKey,
    suffix: from === undefined ? suffix : calculated({ from: from.split(',').map((name) => name.trim()) }),
    shards: dynamicShards({ initial, max: 1_000 }),
    ...(sortKey === undefined ? {} : { sortKey }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(adopt === true ? { adopt } : {}),
    ...(shardMap === undefined ? {} : { shardMap }),
    ...(cacheTtl === undefined ? {} : { cacheTtl }),
    ...(lateRequests === undefined ? {} : { lateRequests }),
  }
}

/** An error that the user can fix, as one sentence; after Ctrl-C, how to resume. */
function told(error: unknown, table: string): unknown {
  if (error instanceof Interrupted) {
    return new CommandError(
      `The rebuild of the shard map of ${table} was ended. The same command resumes it.`,
      EXIT_FAILED,
    )
  }
  if (error instanceof IsothermError) return new CommandError(error.message, EXIT_FAILED)
  if (!(error instanceof Error) || error instanceof CommandError) return error
  return new CommandError(`${table}: ${error.name}: ${error.message}`, EXIT_FAILED, { cause: error })
}
