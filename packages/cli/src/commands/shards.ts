import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { Command } from 'commander'
import { type Duration, dynamicShards, IsothermError, isotherm, type KeyShards } from 'isotherm'
import { CommandError, EXIT_FAILED, EXIT_OK } from '../command-error.js'
import { connectTo } from '../endpoint-client.js'
import { httpUrl, oneOf, region, wholeNumber } from '../flags.js'
import { Interrupted, interruption } from '../interruption.js'
import { type Drained, drainText, priceText } from '../presentation/shards-report.js'
import { type Terminal, writeLine } from '../terminal.js'
import { rebuildCommand } from './rebuild.js'

interface KeyFlags {
  readonly table: string
  readonly key: string
  readonly suffix: 'random' | 'calculated'
  readonly to?: number
  readonly rate?: number
  readonly delimiter?: string
  readonly adopt?: boolean
  readonly shardMap?: string
  readonly cacheTtl?: Duration
  readonly lateRequests?: Duration
  readonly endpoint?: URL
  readonly region?: string
  readonly json?: boolean
}

const MAX_SHARDS = 1_000

/** `isotherm shards`: what fewer shards of a key would cost, and the move of its items, from one process. */
export function shardsCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const price = withKeyFlags(new Command('price'))
    .description('count the items that fewer shards of a key would move; nothing is written')
    .requiredOption('--to <shards>', 'the count to compare with', wholeNumber('--to', 1, MAX_SHARDS))
    .addHelpText(
      'after',
      '\nExample:\n  isotherm shards price --table audit_log --key /sale --suffix random --to 1\n',
    )
    .action(async (flags: KeyFlags) => exit(await priced(flags, terminal)))
  const drain = withKeyFlags(new Command('drain'))
    .description(
      'complete the change of a key: move its items, and let readers forget the shards that are gone',
    )
    .option('--to <shards>', 'change the count first', wholeNumber('--to', 1, MAX_SHARDS))
    .addHelpText(
      'after',
      '\nThe application may go on meanwhile. Ended early, any process resumes the change.\n' +
        'Exits with 1 if another process has taken the change over, or if items exist twice.\n' +
        '\nExample:\n  isotherm shards drain --table audit_log --key /sale --suffix random --to 1 --rate 500\n',
    )
    .action(async (flags: KeyFlags) => exit(await drained(flags, terminal)))
  return new Command('shards')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  isotherm shards price --table audit_log --key /sale --suffix random --to 1\n' +
        '  isotherm shards rebuild --table orders --suffix calculated --dry-run\n',
    )
    .addCommand(price)
    .addCommand(drain)
    .addCommand(rebuildCommand(terminal, exit))
}

function withKeyFlags(command: Command): Command {
  return command
    .requiredOption('--table <name>', 'the table')
    .requiredOption('--key <text>', 'the logical key')
    .requiredOption(
      '--suffix <kind>',
      'random or calculated, as in the options of the application',
      oneOf('--suffix', ['random', 'calculated']),
    )
    .option('--rate <units>', 'capacity units a second that it may use', wholeNumber('--rate', 10, 10_000))
    .option('--delimiter <text>', 'between key and shard, as in the options; _ without it')
    .option('--adopt', 'if the options have adopt: true')
    .option('--shard-map <name>', 'as in the options; <table>_shard_map without it')
    .option('--cache-ttl <duration>', 'as in the options, if they have it')
    .option('--late-requests <duration>', 'as in the options, if they have it')
    .option('--endpoint <url>', 'of another engine than Amazon DynamoDB', httpUrl('--endpoint'))
    .option('--region <name>', "the table's region; the SDK's own without it", region('--region'))
    .option('--json', 'print one line of JSON instead of the text')
    .helpOption('-h, --help', 'print this help')
}

async function priced(flags: KeyFlags, { out }: Terminal): Promise<number> {
  const { to = 1, rate, json, key } = flags
  return withShards(flags, async (shards, signal) => {
    const price = await shards.price(to, { signal, ...(rate === undefined ? {} : { unitsPerSecond: rate }) })
    if (price === undefined) throw neverWritten(flags)
    writeLine(out, json ? JSON.stringify(price) : priceText(key, price))
    return EXIT_OK
  })
}

async function drained(flags: KeyFlags, { out, err, display }: Terminal): Promise<number> {
  const { to, rate, json, key } = flags
  return withShards(flags, async (shards, signal) => {
    if ((await shards.read()) === undefined) throw neverWritten(flags)
    if (to !== undefined) await shards.set(to)
    let moved = 0
    const outcome = await shards.drain({
      signal,
      ...(rate === undefined ? {} : { unitsPerSecond: rate }),
      onProgress: (progress) => {
        moved = progress.moved
        if (display !== undefined) {
          writeLine(err, `${moved} items moved; shard ${progress.shard} of ${progress.shards}`)
        }
      },
    })
    const result: Drained = { outcome, moved, shards: (await shards.read())?.shards }
    writeLine(out, json ? JSON.stringify(result) : drainText(key, result))
    return outcome === 'settled' ? EXIT_OK : EXIT_FAILED
  })
}

async function withShards(
  flags: KeyFlags,
  work: (shards: KeyShards, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const client = connectTo(flags.endpoint, flags.region)
  const signal = interruption()
  try {
    const db = isotherm(client, { tables: { [flags.table]: await tableOptions(client, flags) } })
    try {
      return await work(db.shards(flags.table, flags.key), signal)
    } finally {
      db.destroy()
    }
  } catch (error) {
    throw told(error, flags.table)
  } finally {
    client.destroy()
  }
}

/** The key is that of the table. Everything else has to be as the application has it. */
async function tableOptions(client: DynamoDBClient, flags: KeyFlags) {
  const { table, suffix, delimiter, adopt, shardMap, cacheTtl, lateRequests } = flags
  const { Table } = await client.send(new DescribeTableCommand({ TableName: table }))
  const nameOf = (type: string) => Table?.KeySchema?.find(({ KeyType }) => KeyType === type)?.AttributeName
  const [partitionKey, sortKey] = [nameOf('HASH'), nameOf('RANGE')]
  if (partitionKey === undefined) throw new CommandError(`${table} has no partition key.`, EXIT_FAILED)
  return {
    partitionKey,
    suffix,
    // This process changes what it is told to, and nothing else.
    shards: dynamicShards({ quiet: false }),
    ...(sortKey === undefined ? {} : { sortKey }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(adopt === true ? { adopt } : {}),
    ...(shardMap === undefined ? {} : { shardMap }),
    ...(cacheTtl === undefined ? {} : { cacheTtl }),
    ...(lateRequests === undefined ? {} : { lateRequests }),
  }
}

function neverWritten({ table, key }: KeyFlags): CommandError {
  return new CommandError(
    `The key '${key}' of ${table} is not in the shard map: it was never written.`,
    EXIT_FAILED,
  )
}

/** An error that the user can fix, as one sentence. */
function told(error: unknown, table: string): unknown {
  if (error instanceof IsothermError) return new CommandError(error.message)
  if (!(error instanceof Error) || error instanceof CommandError || error instanceof Interrupted) return error
  return new CommandError(`${table}: ${error.name}: ${error.message}`, EXIT_FAILED, { cause: error })
}
