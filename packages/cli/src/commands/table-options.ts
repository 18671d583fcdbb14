import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Command } from 'commander'
import { calculated, type Duration, dynamicShards, fixedShards, type ShardedTableOptions } from 'isotherm'
import { CommandError, EXIT_FAILED } from '../command-error.js'
import { MAX_SHARDS, oneOf, wholeNumber } from '../flags.js'
import { OptionRules } from '../option-rules.js'
import { optionsFile } from '../options-file.js'

/** The options of a table as the application has them, in flags or in a file. */
export interface TableFlags {
  readonly table: string
  readonly options?: string
  readonly suffix?: 'random' | 'calculated'
  readonly from?: string
  readonly initial?: number
  readonly fixed?: number
  readonly delimiter?: string
  readonly adopt?: boolean
  readonly shardMap?: string
  readonly cacheTtl?: Duration
  readonly lateRequests?: Duration
}

const TABLE_FLAGS = [
  'suffix',
  'from',
  'initial',
  'fixed',
  'delimiter',
  'adopt',
  'shardMap',
  'cacheTtl',
  'lateRequests',
] as const

/** Adds the flags of {@link TableFlags} besides the table's name. */
export function withTableFlags(command: Command): Command {
  return command
    .option(
      '--options <file>',
      "a module whose default export is the table's options; instead of the flags below",
    )
    .option(
      '--suffix <kind>',
      'random or calculated, as in the options of the application',
      oneOf('--suffix', ['random', 'calculated']),
    )
    .option('--from <attributes>', 'of calculated({ from }), with commas; the sort key by default')
    .option(
      '--initial <shards>',
      'as in dynamicShards; 1 by default',
      wholeNumber('--initial', 1, MAX_SHARDS),
    )
    .option('--delimiter <text>', 'between key and shard; _ by default')
    .option('--adopt', 'if the options have adopt: true')
    .option('--shard-map <name>', 'as in the options; <table>_shard_map by default')
    .option('--cache-ttl <duration>', 'as in the options, if they have it')
    .option('--late-requests <duration>', 'as in the options, if they have it')
}

/** Adds a flag for tables whose count is fixed. They have no shard map, and nothing of it is cached. */
export function withFixedFlag(command: Command): Command {
  command.option(
    '--fixed <shards>',
    'of fixedShards, if the application has these',
    wholeNumber('--fixed', 1, MAX_SHARDS),
  )
  new OptionRules(command).excludes(['--shard-map', '--cache-ttl', '--late-requests'], ['--fixed'])
  return command
}

/**
 * The options that the flags or the file say. The names of the keys are those of the table.
 * @throws CommandError for flags that miss or exclude each other
 */
export async function tableOptions(client: DynamoDBClient, flags: TableFlags): Promise<ShardedTableOptions> {
  if (flags.options !== undefined) {
    const doubled = TABLE_FLAGS.find((flag) => flags[flag] !== undefined)
    if (doubled === undefined) return optionsFile(flags.options)
    const name = doubled.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    throw new CommandError(`--${name} cannot be used with --options, which has it already.`)
  }
  const { table, suffix, from, initial, fixed, delimiter, adopt, shardMap, cacheTtl, lateRequests } = flags
  if (suffix === undefined) {
    throw new CommandError(
      "--suffix is missing; it must be random or calculated, or use --options with the table's options.",
    )
  }
  if (from !== undefined && suffix !== 'calculated') {
    throw new CommandError(`--from is '${from}'; it is for --suffix calculated.`)
  }
  if (fixed !== undefined && initial !== undefined) {
    throw new CommandError(
      `--initial is '${initial}'; it is for dynamicShards. Leave it out, or leave out --fixed.`,
    )
  }
  const { Table } = await client.send(new DescribeTableCommand({ TableName: table }))
  const nameOf = (type: string) => Table?.KeySchema?.find(({ KeyType }) => KeyType === type)?.AttributeName
  const [partitionKey, sortKey] = [nameOf('HASH'), nameOf('RANGE')]
  if (partitionKey === undefined) throw new CommandError(`${table} has no partition key.`, EXIT_FAILED)
  return {
    partitionKey,
    suffix: from === undefined ? suffix : calculated({ from: from.split(',').map((name) => name.trim()) }),
    // Of a key that is quiet, the processes of the application remove shards, if their options say so.
    shards:
      fixed === undefined
        ? dynamicShards({ initial: initial ?? 1, max: MAX_SHARDS, quiet: false })
        : fixedShards(fixed),
    ...(sortKey === undefined ? {} : { sortKey }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(adopt === true ? { adopt } : {}),
    ...(shardMap === undefined ? {} : { shardMap }),
    ...(cacheTtl === undefined ? {} : { cacheTtl }),
    ...(lateRequests === undefined ? {} : { lateRequests }),
  }
}
