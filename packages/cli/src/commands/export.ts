import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { Command } from 'commander'
import { CommandError, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK } from '../command-error.js'
import { withConnectionFlags } from '../connection-flags.js'
import { dynamodbJsonOf } from '../data-files/dynamodb-json.js'
import { isKept } from '../data-files/kept-number.js'
import { patiently } from '../data-files/patience.js'
import type { Item } from '../data-files/read-items.js'
import { oneOf } from '../flags.js'
import { grouped } from '../presentation/figures.js'
import { progressLine } from '../presentation/progress-line.js'
import { printable, type Terminal, writeLine } from '../terminal.js'
import { type TableFlags, withTable } from './shards-session.js'

interface ExportFlags extends TableFlags {
  readonly format: 'dynamodb-json' | 'jsonl'
}

/** `isotherm export`: the items of a table as a file. */
export function exportCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return withConnectionFlags(
    new Command('export')
      .argument('<file>', 'a new file; with the ending .gz it is compressed')
      .requiredOption('--table <name>', 'the table')
      .option(
        '--format <name>',
        'dynamodb-json, the format of AWS exports; or jsonl, plain JSON without sets, bytes and long numbers',
        oneOf('--format', ['dynamodb-json', 'jsonl']),
        'dynamodb-json' as const,
      ),
  )
    .option('--json', 'print one line of JSON instead of the text')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nIt scans the table, half a read unit for each 4 KB, and sees writes of the meantime or not. Keys of a sharded table are\n' +
        'those that are stored; export through isotherm proxy for logical ones.\n' +
        '\nExamples:\n' +
        '  isotherm export orders.jsonl --table orders --endpoint http://127.0.0.1:8000\n' +
        '  isotherm export orders.json.gz --table orders --region eu-central-1\n',
    )
    .action(async (file: string, flags: ExportFlags) => exit(await exported(file, flags, terminal)))
}

function exported(file: string, flags: ExportFlags, terminal: Terminal): Promise<number> {
  const { table, json, format } = flags
  if (/\.csv(\.gz)?$/.test(file)) {
    throw new CommandError(
      `The file is '${file}'; an export has lines of JSON, which isotherm import would not read from a file of this name. Use .jsonl.`,
    )
  }
  if (file === '-') {
    throw new CommandError(
      `The file is '-'; an export is a file, because a part of one looks like a whole table. Name a new file, such as ${table}.jsonl.`,
    )
  }
  return withTable(flags, async (client, signal) => {
    let items = 0
    const line = progressLine(terminal)
    async function* lines() {
      for await (const item of itemsOf(client, table, signal)) {
        items++
        line.show(`${grouped(items)} items`)
        yield `${format === 'jsonl' ? plainJson(item) : dynamodbJsonOf(item)}\n`
      }
    }
    await client.config.region()
    const target = createWriteStream(file, { flags: 'wx' })
    // Who removes the file must know that it is there, and whose it is.
    await once(target, 'open').catch((error: unknown) => {
      throw unwritable(file, error)
    })
    try {
      await (file.endsWith('.gz')
        ? pipeline(lines, createGzip(), target, { signal })
        : pipeline(lines, target, { signal }))
    } catch (error) {
      // A part of a table looks like all of it.
      await rm(file, { force: true })
      if (signal.aborted) throw ended(table, file, items)
      throw unwritable(file, error)
    } finally {
      line.end()
    }
    const text = `${grouped(items)} items of ${table} written to ${file}.`
    writeLine(terminal.out, json ? JSON.stringify({ table, file, items, format }) : printable(text))
    return EXIT_OK
  })
}

async function* itemsOf(
  client: DynamoDBClient,
  TableName: string,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  let ExclusiveStartKey: Item | undefined
  do {
    const scan = new ScanCommand({ TableName, ...(ExclusiveStartKey && { ExclusiveStartKey }) })
    // A page of a table with little capacity waits for longer than the SDK does, and a part of a table is not kept.
    const page = await patiently(() => client.send(scan, { abortSignal: signal }), signal)
    signal.throwIfAborted()
    yield* page.Items ?? []
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey !== undefined)
}

/** Plain JSON has neither sets nor bytes nor long numbers: they become lists, base64 and texts. */
function plainJson(item: Item): string {
  return JSON.stringify(unmarshall(item, { wrapNumbers: plainNumber }), (_name, value) => {
    if (value instanceof Set) return [...value]
    return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
  })
}

function plainNumber(text: string): number | string {
  return isKept(text) ? Number(text) : text
}

function ended(table: string, file: string, items: number): CommandError {
  const text = `The export of ${table} was ended after ${grouped(items)} items, and ${file} was removed. Run the same command again.`
  return new CommandError(text, EXIT_INTERRUPTED)
}

/** The error of the file as a sentence. Errors of the table are returned unchanged. */
function unwritable(file: string, error: unknown): unknown {
  const { code, syscall } = Object(error) as { readonly code?: unknown; readonly syscall?: unknown }
  if (syscall !== 'open' && syscall !== 'write') return error
  if (code === 'EEXIST') {
    const message = `The file ${file} exists already and is not overwritten. Name another file, or remove it.`
    return new CommandError(message, EXIT_FAILED)
  }
  if (code === 'ENOSPC')
    return new CommandError(`The file ${file} cannot be written: the disk is full.`, EXIT_FAILED)
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    return new CommandError(`The file ${file} cannot be written (${code}).`, EXIT_FAILED)
  }
  return error
}
