import { Command } from 'commander'
import { IsothermError, rebuildShardMap } from 'isotherm'
import { CommandError, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK } from '../command-error.js'
import { type ConnectionFlags, withConnectionFlags } from '../connection-flags.js'
import { connectTo } from '../endpoint-client.js'
import { endpointFailure } from '../endpoint-failure.js'
import { wholeNumber } from '../flags.js'
import { causeOf, Interrupted, interruption } from '../interruption.js'
import { progressLine } from '../presentation/progress-line.js'
import { rebuildJson, rebuildProgressText, rebuildText } from '../presentation/rebuild-report.js'
import { scanPrice, scanPriceText } from '../scan-price.js'
import { requireStoredKeys } from '../stored-keys.js'
import { type Terminal, writeLine } from '../terminal.js'
import { type TableFlags, tableOptions, withTableFlags } from './table-options.js'

interface RebuildFlags extends TableFlags, ConnectionFlags {
  readonly dryRun?: boolean
  readonly replaceCard?: boolean
  readonly rate: number
  readonly json?: boolean
}

/** `isotherm shards rebuild`: a shard map that was lost, rebuilt from its table. */
export function rebuildCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('rebuild')
    .description(
      'rebuild the shard map from the items of the table, after it was deleted, emptied or restored',
    )
    .requiredOption('--table <name>', 'the table')
  return withConnectionFlags(
    withTableFlags(command)
      .option('--dry-run', 'read the table and report; nothing is written')
      .option('--replace-card', 'replace a card with other settings, after a rebuild with wrong options')
      .option(
        '--rate <units>',
        'capacity units a second that it may use',
        wholeNumber('--rate', 10, 10_000),
        100,
      ),
  )
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

async function rebuilt(flags: RebuildFlags, terminal: Terminal): Promise<number> {
  const { out, err } = terminal
  const { table, dryRun = false, replaceCard = false, rate, json } = flags
  const client = connectTo(flags.endpoint, flags.region, flags)
  const signal = interruption()
  try {
    await requireStoredKeys(client)
    const options = await tableOptions(client, flags)
    const price = await scanPrice(client, { table, rate, isConsistent: true })
    writeLine(err, scanPriceText(price))
    const line = progressLine(terminal)
    const report = await rebuildShardMap(client, {
      table,
      options,
      dryRun,
      replaceCard,
      unitsPerSecond: rate,
      signal,
      onProgress: (progress) => {
        const share =
          progress.pass === 'table' ? progress.items / Math.max(progress.items, price.items) : undefined
        line.show(rebuildProgressText(progress), share)
      },
    }).finally(line.end)
    writeLine(out, json ? rebuildJson(report) : rebuildText(report, dryRun))
    return report.unexplained === 0 ? EXIT_OK : EXIT_FAILED
  } catch (error) {
    throw told(causeOf(error, signal), table)
  } finally {
    client.destroy()
  }
}

/** An error that the user can fix, as one sentence; after Ctrl-C, how to resume. */
function told(error: unknown, table: string): unknown {
  if (error instanceof Interrupted) {
    return new CommandError(
      `The rebuild of the shard map of ${table} was ended. The same command resumes it.`,
      EXIT_INTERRUPTED,
    )
  }
  if (error instanceof IsothermError) return new CommandError(error.message, EXIT_FAILED)
  if (!(error instanceof Error) || error instanceof CommandError) return error
  return endpointFailure(table, error)
}
