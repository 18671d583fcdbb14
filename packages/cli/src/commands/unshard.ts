import { Command } from 'commander'
import { IsothermError, type MirrorProgress, unshardTable } from 'isotherm'
import { CommandError, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK } from '../command-error.js'
import { type ConnectionFlags, withConnectionFlags } from '../connection-flags.js'
import { connectTo } from '../endpoint-client.js'
import { endpointFailure } from '../endpoint-failure.js'
import { wholeNumber } from '../flags.js'
import { causeOf, Interrupted, interruption } from '../interruption.js'
import { counted, grouped } from '../presentation/figures.js'
import { progressLine } from '../presentation/progress-line.js'
import { type ScanPrice, scanPrice, scanPriceText } from '../scan-price.js'
import { requireStoredKeys } from '../stored-keys.js'
import { printable, type Terminal, writeLine } from '../terminal.js'
import { type TableFlags, tableOptions, withFixedFlag, withTableFlags } from './table-options.js'

interface UnshardFlags extends TableFlags, ConnectionFlags {
  readonly to: string
  readonly deleteOthers?: boolean
  readonly dryRun?: boolean
  readonly rate: number
  readonly json?: boolean
}

/** `isotherm unshard`: the items of a sharded table in a plain one, so that an application can continue without the library. */
export function unshardCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('unshard')
    .helpOption('-h, --help', 'print this help')
    .requiredOption('--table <name>', 'the sharded table, which is only read')
    .requiredOption('--to <name>', 'a plain table with the same key, which exists')
  return withConnectionFlags(
    withFixedFlag(withTableFlags(command))
      .option('--delete-others', 'delete items of the plain table that the sharded one does not have')
      .option('--dry-run', 'print the price; nothing is written')
      .option(
        '--rate <units>',
        'capacity units a second that it may use',
        wholeNumber('--rate', 10, 10_000),
        100,
      ),
    "tables'",
  )
    .option('--json', 'print one line of JSON instead of the text')
    .addHelpText(
      'after',
      '\nCopy while the application runs, then stop its writes and copy again: only what has changed is written.\n' +
        'Ended early, the same command continues.\n' +
        '\nExamples:\n' +
        '  isotherm unshard --table orders --suffix calculated --to orders_plain --dry-run\n' +
        '  isotherm unshard --table orders --suffix calculated --to orders_plain --rate 1000\n' +
        '  isotherm unshard --table orders --suffix calculated --to orders_plain --delete-others\n' +
        '  isotherm unshard --table log --suffix random --fixed 16 --to log_plain\n' +
        '  isotherm unshard --table orders --options ./orders.js --to orders_plain\n',
    )
    .action(async (flags: UnshardFlags) => exit(await unsharded(flags, terminal)))
}

async function unsharded(flags: UnshardFlags, terminal: Terminal): Promise<number> {
  const { table, to, deleteOthers = false, dryRun, rate, json } = flags
  const client = connectTo(flags.endpoint, flags.region, flags)
  const signal = interruption()
  const line = progressLine(terminal)
  try {
    await requireStoredKeys(client)
    const options = await tableOptions(client, flags)
    const price = withLookups(await scanPrice(client, { table, rate, isConsistent: true }), rate)
    const text = `${scanPriceText(price)} Each item that ${printable(to)} lacks is written, too.`
    if (dryRun === true) {
      writeLine(terminal.out, json ? JSON.stringify(price) : text)
      return EXIT_OK
    }
    writeLine(terminal.err, text)
    const progress = await unshardTable(client, {
      table,
      options,
      to,
      deleteOthers,
      unitsPerSecond: rate,
      signal,
      onProgress: (made) => line.show(textOf(made), made.scanned / Math.max(made.scanned, price.items)),
    }).finally(line.end)
    const done = `${printable(to)} has the items of ${printable(table)}. ${textOf(progress)}`
    writeLine(terminal.out, json ? JSON.stringify({ table, to, ...progress }) : done)
    return EXIT_OK
  } catch (error) {
    throw told(causeOf(error, signal), flags)
  } finally {
    client.destroy()
  }
}

/** Each item that the scan reads is looked up in the plain table, which takes a read unit or more. */
function withLookups(price: ScanPrice, rate: number): ScanPrice {
  const readUnits = price.readUnits + price.items
  return { ...price, readUnits, seconds: Math.ceil(readUnits / rate) }
}

function textOf({ scanned, copied, deleted }: MirrorProgress): string {
  const others = deleted === 0 ? '' : ` ${counted(deleted, 'was', 'were')} deleted.`
  return `${counted(scanned, 'item', 'items')} read, ${grouped(copied)} copied.${others}`
}

/** An error that the user can fix, as one sentence; after Ctrl-C, how to continue. */
function told(error: unknown, { table, to }: UnshardFlags): unknown {
  if (error instanceof Interrupted) {
    return new CommandError(
      `The copy of ${table} to ${to} was ended. The same command continues it.`,
      EXIT_INTERRUPTED,
    )
  }
  if (error instanceof IsothermError) {
    // The function's option is a flag here.
    return new CommandError(error.message.replaceAll('unshardTable.', '--'), EXIT_FAILED)
  }
  if (!(error instanceof Error) || error instanceof CommandError) return error
  return endpointFailure(table, error)
}
