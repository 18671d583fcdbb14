import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Command } from 'commander'
import {
  type Duration,
  dynamicShards,
  IsothermError,
  type IsothermEvent,
  isotherm,
  type KeyShards,
  optionsOnCard,
  type ShardedTableOptions,
} from 'isotherm'
import { CommandError, EXIT_FAILED, exitCodeOf } from '../command-error.js'
import { type ConnectionFlags, withConnectionFlags } from '../connection-flags.js'
import { connectTo } from '../endpoint-client.js'
import { endpointFailure } from '../endpoint-failure.js'
import { oneOf, wholeNumber } from '../flags.js'
import { causeOf, Interrupted, interruption } from '../interruption.js'
import { requireStoredKeys } from '../stored-keys.js'
import { requiredTable, requireShardMap } from './required-tables.js'

/** The flags of all commands on a sharded table. */
export interface TableFlags extends ConnectionFlags {
  readonly table: string
  readonly shardMap?: string
  readonly json?: boolean
}

/** The flags of commands on one key. */
export interface KeyFlags extends TableFlags {
  readonly key: string
  readonly suffix?: 'random' | 'calculated'
  readonly to?: number
  readonly rate?: number
  readonly delimiter?: string
  readonly adopt?: boolean
  readonly cacheTtl?: Duration
  readonly lateRequests?: Duration
  readonly dryRun?: boolean
  readonly discard?: boolean
}

export function withTableFlags(command: Command): Command {
  return withConnectionFlags(
    command
      .requiredOption('--table <name>', 'the table')
      .option('--shard-map <name>', 'as in the options; <table>_shard_map by default'),
  )
    .option('--json', 'print one line of JSON instead of the text')
    .helpOption('-h, --help', 'print this help')
}

export function withKeyFlags(command: Command): Command {
  return withTableFlags(command)
    .requiredOption('--key <text>', 'the logical key')
    .option(
      '--suffix <kind>',
      'random or calculated, as in the options of the application; from the shard map by default',
      oneOf('--suffix', ['random', 'calculated']),
    )
    .option('--delimiter <text>', 'between key and shard, as in the options; from the shard map by default')
    .option('--adopt', 'if the options have adopt: true')
    .option('--cache-ttl <duration>', 'as in the options, if they have it')
    .option('--late-requests <duration>', 'as in the options, if they have it')
}

/** Adds a flag for commands that read or move the items of a key. */
export function withRateFlag(command: Command): Command {
  return command.option(
    '--rate <units>',
    'capacity units a second that it may use',
    wholeNumber('--rate', 10, 10_000),
  )
}

/** Runs the work with a client. Errors that the user can fix become sentences. */
export async function withTable(
  flags: TableFlags,
  work: (client: DynamoDBClient, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const client = connectTo(flags.endpoint, flags.region, flags)
  const signal = interruption()
  try {
    return await work(client, signal)
  } catch (error) {
    throw told(causeOf(error, signal), flags.table)
  } finally {
    client.destroy()
  }
}

/** A key, and what its changes are priced with. */
export interface PricedKey {
  readonly db: DynamoDBClient
  readonly shards: KeyShards
  readonly options: ShardedTableOptions
  readonly signal: AbortSignal
}

/** Runs the work with the manual control of a key's shards. */
export function withShards(
  flags: KeyFlags,
  work: (shards: KeyShards, key: PricedKey) => Promise<number>,
  onEvent?: (event: IsothermEvent) => void,
): Promise<number> {
  return withTable(flags, async (client, signal) => {
    await requireStoredKeys(client)
    const options = await tableOptions(client, flags)
    const db = isotherm<DynamoDBClient>(client, { tables: { [flags.table]: options }, onEvent })
    const shards = db.shards(flags.table, flags.key)
    try {
      return await work(shards, { db, shards, options, signal })
    } finally {
      db.destroy()
    }
  })
}

/** The key is that of the table. Everything else has to be as the application has it. */
async function tableOptions(client: DynamoDBClient, flags: KeyFlags): Promise<ShardedTableOptions> {
  const { table, suffix, delimiter, adopt, shardMap, cacheTtl, lateRequests } = flags
  const given = {
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(adopt === true ? { adopt } : {}),
    ...(shardMap === undefined ? {} : { shardMap }),
    ...(cacheTtl === undefined ? {} : { cacheTtl }),
    ...(lateRequests === undefined ? {} : { lateRequests }),
  }
  if (suffix === undefined) {
    const known = await optionsOnCard(client, { table, ...(shardMap === undefined ? {} : { shardMap }) })
    if (known !== undefined) return { ...known, ...given }
    await requiredTable(client, table)
    await requireShardMap(client, flags)
    throw new CommandError(
      `The shard map of ${table} does not say how the table is sharded, because no process has used it yet. Use --suffix random or --suffix calculated.`,
      EXIT_FAILED,
    )
  }
  const Table = await requiredTable(client, table)
  const nameOf = (type: string) => Table?.KeySchema?.find(({ KeyType }) => KeyType === type)?.AttributeName
  const [partitionKey, sortKey] = [nameOf('HASH'), nameOf('RANGE')]
  if (partitionKey === undefined) throw new CommandError(`${table} has no partition key.`, EXIT_FAILED)
  return {
    partitionKey,
    suffix,
    // This process makes only the changes that the user asks for.
    shards: dynamicShards({ quiet: false }),
    ...(sortKey === undefined ? {} : { sortKey }),
    ...given,
  }
}

export function neverWritten({ table, key }: KeyFlags): CommandError {
  return new CommandError(
    `The key '${key}' of ${table} is not in the shard map, so it has the initial count.`,
    EXIT_FAILED,
  )
}

/** An error that the user can fix, as one sentence. */
function told(error: unknown, table: string): unknown {
  if (error instanceof IsothermError) {
    // The function of the library is a command here.
    const message = error.message.replace('with drain()', 'with isotherm shards drain')
    return new CommandError(message, exitCodeOf(error))
  }
  if (!(error instanceof Error) || error instanceof CommandError || error instanceof Interrupted) return error
  return endpointFailure(table, error)
}
