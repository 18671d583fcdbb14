import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { Command } from 'commander'
import { IsothermError, isotherm } from 'isotherm'
import { type CheckProgress, type DirectoryDefinition, directory } from 'isotherm/search'
import { CommandError, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK } from '../command-error.js'
import { type ConnectionFlags, withConnectionFlags } from '../connection-flags.js'
import { definitionFile } from '../definition-file.js'
import { connectTo } from '../endpoint-client.js'
import { endpointFailure } from '../endpoint-failure.js'
import { interruption } from '../interruption.js'
import { optionsFile } from '../options-file.js'
import { grouped } from '../presentation/figures.js'
import { progressLine } from '../presentation/progress-line.js'
import {
  differencesIn,
  searchCheckJson,
  searchCheckProgressText,
  searchCheckText,
} from '../presentation/search-check-report.js'
import { startKeyOf, startText } from '../start-text.js'
import { type Terminal, writeLine } from '../terminal.js'

interface SearchCheckFlags extends ConnectionFlags {
  readonly definition: string
  readonly table?: string
  readonly options?: string
  readonly tenant?: string
  readonly repair?: boolean
  readonly start?: string
  readonly json?: boolean
}

/** Longer than that of an application: a check may wait while a table throttles it. */
const TIMEOUT = '60s'

/** `isotherm search check`: the search items of a directory, compared with its items and repaired. */
export function searchCheckCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('check')
    .description('compare the search items of a directory with its items, and repair them')
    .requiredOption('--definition <file>', 'a module whose default export is what defineDirectory() returned')
    .option('--table <name>', 'the table, if it is not that of the definition')
    .option('--options <file>', "a module with the table's options, if the library shards its index")
    .option('--tenant <name>', 'only items of this tenant; the whole table is read all the same')
    .option('--repair', 'write what differs; without it, nothing is written')
    .option('--start <text>', 'resume a check that was ended: the text that it printed')
  return withConnectionFlags(command)
    .option('--json', 'print one line of JSON instead of the text')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nIt scans the table once, a read unit for each 4 KB. The application may run meanwhile.\n' +
        'Run it after a restore, and after a change of the definition, such as of a normalizer.\n' +
        'Exits with 1 if there are differences and --repair is not given.\n' +
        '\nExamples:\n' +
        '  isotherm search check --definition ./contacts.js\n' +
        '  isotherm search check --definition ./contacts.js --table contacts_restored --repair\n' +
        '  isotherm search check --definition ./contacts.js --options ./contacts-table.js --repair\n',
    )
    .action(async (flags: SearchCheckFlags) => exit(await checked(flags, terminal)))
}

async function checked(flags: SearchCheckFlags, terminal: Terminal): Promise<number> {
  const { repair = false, tenant, json } = flags
  const given = await definitionFile(flags.definition)
  const definition = flags.table === undefined ? given : { ...given, table: flags.table }
  const { table, names } = definition
  const startKey = flags.start === undefined ? undefined : startKeyOf(flags.start, [names.id, names.dataType])
  const client = connectTo(flags.endpoint, flags.region, flags)
  const signal = interruption()
  const line = progressLine(terminal)
  let last: Pick<CheckProgress, 'scanned' | 'startKey'> = { scanned: 0, startKey }
  try {
    const counts = await withDirectoryClient(client, definition, flags.options, signal, (db) =>
      directory(db, definition, { timeout: TIMEOUT }).check({
        ...(tenant === undefined ? {} : { tenant }),
        repair,
        startKey,
        signal,
        onProgress: (progress) => {
          last = progress
          line.show(searchCheckProgressText(progress))
        },
      }),
    ).finally(line.end)
    signal.throwIfAborted()
    const report = { table, isRepair: repair, counts }
    writeLine(terminal.out, json ? searchCheckJson(report) : searchCheckText(report))
    return repair || differencesIn(counts) === 0 ? EXIT_OK : EXIT_FAILED
  } catch (error) {
    if (signal.aborted) throw ended(table, last)
    throw explained(error, table, last)
  } finally {
    client.destroy()
  }
}

/**
 * Runs the work with the client that the application has. A client without the library would repair items out of an index that the library
 * shards: their entries have another partition key.
 */
async function withDirectoryClient<Result>(
  client: DynamoDBClient,
  { table, index, names }: DirectoryDefinition,
  options: string | undefined,
  signal: AbortSignal,
  work: (db: DynamoDBClient) => Promise<Result>,
): Promise<Result> {
  if (options !== undefined) {
    const db = isotherm<DynamoDBClient>(client, { tables: { [table]: await optionsFile(options) } })
    try {
      return await work(db)
    } finally {
      db.destroy()
    }
  }
  const described = await client.send(new DescribeTableCommand({ TableName: table }), { abortSignal: signal })
  const indexes = described.Table?.GlobalSecondaryIndexes ?? []
  const key = indexes
    .find(({ IndexName }) => IndexName === index)
    ?.KeySchema?.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName
  if (key === undefined)
    throw new CommandError(
      `${table} has no index ${index}, which the definition names. Create it, correct the definition, or name another table with --table.`,
      EXIT_FAILED,
    )
  if (key !== names.searchType)
    throw new CommandError(
      `The partition key of the index ${index} of ${table} is ${key}, and that of the definition is ${names.searchType}. If the library shards the index, give the table's options with --options.`,
    )
  return work(client)
}

type Reached = Pick<CheckProgress, 'scanned' | 'startKey'>

function ended(table: string, last: Reached): CommandError {
  const text = `The check of ${table} was ended after ${grouped(last.scanned)} items. ${resumption(last)}`
  return new CommandError(text, EXIT_INTERRUPTED)
}

function resumption({ startKey }: Reached): string {
  return startKey === undefined
    ? 'The same command begins again.'
    : `The same command with --start ${startText(startKey)} resumes it.`
}

/** An error that the user can fix, as a sentence, and how to resume if the check has begun. */
function explained(error: unknown, table: string, last: Reached): unknown {
  if (!(error instanceof Error) || error instanceof CommandError) return error
  const message = error instanceof IsothermError ? error.message : endpointFailure(table, error).message
  const text = last.scanned === 0 ? message : `${message} ${resumption(last)}`
  return new CommandError(text, EXIT_FAILED, { cause: error })
}
