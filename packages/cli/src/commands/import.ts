import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { Command } from 'commander'
import { CommandError, EXIT_INTERRUPTED, EXIT_OK } from '../command-error.js'
import { withConnectionFlags } from '../connection-flags.js'
import { keyRulesOf } from '../data-files/key-rules.js'
import { dataFiles, readItems } from '../data-files/read-items.js'
import { writeItems } from '../data-files/write-items.js'
import { grouped } from '../presentation/figures.js'
import { progressLine } from '../presentation/progress-line.js'
import { printable, type Terminal, writeLine } from '../terminal.js'
import { type TableFlags, withTable } from './shards-session.js'

interface ImportFlags extends TableFlags {
  readonly dryRun?: boolean
}

/** `isotherm import`: items of files into a table. */
export function importCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return withConnectionFlags(
    new Command('import')
      .argument('<path>', 'a file, or a folder with files, such as an export of AWS')
      .requiredOption('--table <name>', 'the table, which exists')
      .option('--dry-run', 'read the files and count their items; nothing is written'),
  )
    .option('--json', 'print one line of JSON instead of the text')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nReads DynamoDB JSON as exports of AWS have it, lines of plain JSON, and CSV with a line of names; .gz of each. In a CSV,\n' +
        'keys have the type of the table, other cells that look like a number are numbers, and empty cells are left out.\n' +
        'Items that exist are replaced, so the same command may be run again. Of items with the same key the last one stays.\n' +
        'For a sharded table, import through isotherm proxy.\n' +
        '\nExamples:\n' +
        '  isotherm import orders.jsonl --table orders --endpoint http://127.0.0.1:8000\n' +
        '  isotherm import ./AWSDynamoDB/01234567890123-abcdefab --table orders --dry-run\n',
    )
    .action(async (path: string, flags: ImportFlags) => exit(await imported(path, flags, terminal)))
}

function imported(path: string, flags: ImportFlags, terminal: Terminal): Promise<number> {
  const { table, json, dryRun = false } = flags
  return withTable(flags, async (client, signal) => {
    let done = 0
    const line = progressLine(terminal)
    const items = await importItems(client, table, path, {
      dryRun,
      signal,
      onProgress: (written) => {
        done = written
        line.show(`${grouped(written)} items`)
      },
    })
      .catch((error: unknown) => {
        throw signal.aborted && !dryRun ? ended(table, done) : error
      })
      .finally(line.end)
    const text = dryRun
      ? `${grouped(items)} items in ${path}.`
      : `${grouped(items)} items written to ${table}.`
    writeLine(terminal.out, json ? JSON.stringify({ table, path, items, dryRun }) : printable(text))
    return EXIT_OK
  })
}

function ended(table: string, items: number): CommandError {
  const text = `The import to ${table} was ended after ${grouped(items)} items. The same command writes all of them, those again included.`
  return new CommandError(text, EXIT_INTERRUPTED)
}

/** Writes the items of all data files of a path. @returns how many */
export async function importItems(
  client: DynamoDBClient,
  table: string,
  path: string,
  options: {
    readonly dryRun: boolean
    readonly signal: AbortSignal
    readonly onProgress: (items: number) => void
  },
): Promise<number> {
  const files = dataFiles(path)
  const { Table } = await client.send(new DescribeTableCommand({ TableName: table }), {
    abortSignal: options.signal,
  })
  const keys = keyRulesOf(table, Table)
  async function* items() {
    for (const file of files) yield* readItems(file, keys)
  }
  if (!options.dryRun) return writeItems(client, table, items(), { ...options, keyOf: keys.keyOf })
  let count = 0
  for await (const _ of items()) {
    options.signal.throwIfAborted()
    count++
  }
  return count
}
