import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { Command } from 'commander'
import { type AdoptReport, adoptCheck, checkHandMade, IsothermError } from 'isotherm'
import { CommandError, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, exitCodeOf } from '../command-error.js'
import { type ConnectionFlags, withConnectionFlags } from '../connection-flags.js'
import { connectTo } from '../endpoint-client.js'
import { endpointFailure } from '../endpoint-failure.js'
import { wholeNumber } from '../flags.js'
import { causeOf, Interrupted, interruption } from '../interruption.js'
import { OptionRules } from '../option-rules.js'
import { optionsFile } from '../options-file.js'
import { adoptJson, adoptText } from '../presentation/adopt-report.js'
import { grouped } from '../presentation/figures.js'
import { progressLine } from '../presentation/progress-line.js'
import { schemeJson, schemeText } from '../presentation/scheme-report.js'
import { scanPrice, scanPriceText } from '../scan-price.js'
import { requireStoredKeys } from '../stored-keys.js'
import { type Terminal, writeLine } from '../terminal.js'
import { type AdoptedState, adoptedState } from './adopted-state.js'

interface AdoptFlags extends ConnectionFlags {
  readonly table: string
  readonly partitionKey?: string
  readonly delimiter?: string
  readonly rate: number
  readonly dryRun?: boolean
  readonly start?: Start
  readonly json?: boolean
  readonly options?: string
  readonly items?: number
}

type Start = NonNullable<AdoptReport['lastKey']>

/** `isotherm adopt --check`: checks whether an existing table can be sharded. */
export function adoptCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = withConnectionFlags(
    new Command('adopt')
      .option('--check', 'check the table; adopt does nothing else, so the flag can be left out')
      .requiredOption('--table <name>', 'the table')
      .option('--partition-key <name>', "the partition key's name, to be sure that it is the table you mean")
      .option('--delimiter <text>', 'between key and shard, as the options will have it; _ by default'),
  )
    .option(
      '--rate <units>',
      'read units a second that the check may use',
      wholeNumber('--rate', 10, 10_000),
      100,
    )
    .option('--dry-run', 'print the price of the check; no item is read')
    .option('--start <key>', 'go on where a check was ended: the JSON that it printed', startKey)
    .option(
      '--options <file>',
      "of a table sharded by hand: a module whose default export is the table's options, with handMade",
    )
    .option(
      '--items <number>',
      'items to sample, with --options; 1,000 by default',
      wholeNumber('--items', 1, 1_000_000),
    )
    .option('--json', 'print one line of JSON instead of the text')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExits with 0 when the table can be adopted, with 1 when it cannot, or when --start left out a part of it.\n' +
        'With --options, the table can be adopted when every sampled item is found where it is.\n' +
        '\nExamples:\n' +
        '  isotherm adopt --check --table audit_log\n' +
        '  isotherm adopt --check --table audit_log --dry-run\n' +
        '  isotherm adopt --check --table audit_log --delimiter "#" --rate 500\n' +
        '  isotherm adopt --check --table votes --options ./votes.js\n' +
        '  isotherm adopt --check --table log --endpoint http://127.0.0.1:8000\n',
    )
    .action(async (flags: AdoptFlags) => exit(await check(flags, terminal)))
  // Without options, all keys are read.
  new OptionRules(command).needs(['--items'], ['--options'])
  return command
}

async function check(flags: AdoptFlags, terminal: Terminal): Promise<number> {
  const { out, err } = terminal
  if (flags.options !== undefined) return checkScheme(flags, flags.options, terminal)
  const { table, endpoint, rate, start } = flags
  const client = connectTo(endpoint, flags.region, flags)
  const signal = interruption()
  try {
    await requireStoredKeys(client)
    const price = await scanPrice(client, { table, rate, isConsistent: false })
    await requireSortKey(client, table)
    const state = await adoptedState(client, table)
    const delimiter = delimiterOf(flags, state)
    if (flags.dryRun === true) {
      writeLine(out, flags.json ? JSON.stringify(price) : scanPriceText(price))
      return EXIT_OK
    }
    writeLine(err, scanPriceText(price))
    const progress = progressLine(terminal)
    const report = await adoptCheck(client, {
      table,
      unitsPerSecond: rate,
      signal,
      ...(delimiter === undefined ? {} : { delimiter }),
      ...(start === undefined ? {} : { startKey: start }),
      onProgress: ({ items, ofAbout }) => {
        const total = Math.max(items, ofAbout)
        progress.show(`${grouped(items)} of about ${grouped(total)} items`, items / total)
      },
    }).finally(progress.end)
    requirePartitionKey(flags, report)
    const isAdopted = state !== undefined
    writeLine(out, flags.json ? adoptJson(report, isAdopted) : adoptText(report, isAdopted))
    if (report.isAdoptable === true) return EXIT_OK
    // What was found until then counts.
    return report.isAdoptable === undefined && signal.aborted ? EXIT_INTERRUPTED : EXIT_FAILED
  } catch (error) {
    throw told(causeOf(error, signal), table)
  } finally {
    client.destroy()
  }
}

/** The library refuses such a table, whatever its keys are. That is known before they are read, which may take hours. */
async function requireSortKey(client: DynamoDBClient, table: string): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: table }))
  const isKeyAlone = Table?.KeySchema?.every(({ KeyType }) => KeyType === 'HASH')
  if (isKeyAlone !== true) return
  throw new CommandError(
    `${table} cannot be adopted: it has no sort key, so each partition key has one item, which cannot be spread over shards. Its indexes can be sharded.`,
    EXIT_FAILED,
  )
}

/**
 * The delimiter to check with. Of a table that is adopted already, it is what its stored keys have.
 * @throws CommandError if the table is sharded in another way
 */
function delimiterOf({ table, delimiter }: AdoptFlags, state: AdoptedState | undefined): string | undefined {
  if (state === undefined) return delimiter
  if (!state.isAdopted) throw suffixedAlready(table)
  if (delimiter === undefined || delimiter === state.delimiter) return state.delimiter
  throw new CommandError(
    `--delimiter is '${delimiter}'; ${table} is adopted already with the delimiter '${state.delimiter}', which must stay as it is. Leave out --delimiter.`,
  )
}

/** Its stored keys look like keys to rename, or to keep with another delimiter. Either would lose its items. */
function suffixedAlready(table: string): CommandError {
  return new CommandError(
    `${table} cannot be adopted: it is sharded already, without adopt: true, as its card in ${table}_shard_map says. Each of its keys has a suffix. Leave its options as they are.`,
    EXIT_FAILED,
  )
}

/** Checks a table that was sharded by hand, by sampling. */
async function checkScheme(flags: AdoptFlags, file: string, terminal: Terminal): Promise<number> {
  for (const flag of ['delimiter', 'start', 'partitionKey', 'dryRun'] as const) {
    if (flags[flag] === undefined) continue
    const name = flag.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)
    throw new CommandError(
      `--${name} cannot be used with --options, which has it already, or reads a sample.`,
    )
  }
  const { table, rate, items } = flags
  const options = await optionsFile(file)
  const client = connectTo(flags.endpoint, flags.region, flags)
  const signal = interruption()
  try {
    await requireStoredKeys(client)
    const progress = progressLine(terminal)
    const report = await checkHandMade(client, {
      table,
      options,
      unitsPerSecond: rate,
      signal,
      ...(items === undefined ? {} : { items }),
      onProgress: ({ found, items }) => {
        progress.show(`${grouped(found)} of ${grouped(items)} items found`)
      },
    }).finally(progress.end)
    writeLine(terminal.out, flags.json ? schemeJson(report) : schemeText(report))
    return report.fits === true ? EXIT_OK : EXIT_FAILED
  } catch (error) {
    throw told(causeOf(error, signal), table)
  } finally {
    client.destroy()
  }
}

function requirePartitionKey({ partitionKey }: AdoptFlags, report: AdoptReport): void {
  if (partitionKey === undefined || partitionKey === report.partitionKey) return
  throw new CommandError(
    `--partition-key is '${partitionKey}'; the partition key of ${report.table} is ${report.partitionKey}.`,
  )
}

/** An error that the user can fix, as one sentence. */
function told(error: unknown, table: string): unknown {
  if (error instanceof IsothermError) return new CommandError(error.message, exitCodeOf(error))
  if (!(error instanceof Error) || error instanceof CommandError || error instanceof Interrupted) return error
  return endpointFailure(`${table} could not be checked`, error)
}

function startKey(text: string): Start {
  const problem = new CommandError(
    `--start is '${text}'; it must be the JSON of a key, as a check prints it.`,
  )
  try {
    const key: unknown = JSON.parse(text, revivedBytes)
    if (typeof key === 'object' && key !== null && !Array.isArray(key)) return key as Start
  } catch {
    throw problem
  }
  throw problem
}

/** JSON contains bytes as base64, as in DynamoDB's own protocol. */
function revivedBytes(name: string, value: unknown): unknown {
  return name === 'B' && typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value
}
