import { Command } from 'commander'
import {
  type Duration,
  IsothermError,
  isotherm,
  type MigrationProgress,
  optionsOnCard,
  type ShardedTableOptions,
} from 'isotherm'
import { CommandError, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, exitCodeOf } from '../command-error.js'
import { type ConnectionFlags, withConnectionFlags } from '../connection-flags.js'
import { connectTo } from '../endpoint-client.js'
import { endpointFailure } from '../endpoint-failure.js'
import { MAX_SHARDS, wholeNumber } from '../flags.js'
import { causeOf, Interrupted, interruption } from '../interruption.js'
import { begunText, migrationText, phaseText } from '../presentation/migrate-report.js'
import { progressLine } from '../presentation/progress-line.js'
import { TwoCopiesReport } from '../presentation/two-copies-report.js'
import { requireStoredKeys } from '../stored-keys.js'
import { type Terminal, writeLine } from '../terminal.js'
import { requiredTable, requireShardMap } from './required-tables.js'

interface MigrateFlags extends ConnectionFlags {
  readonly table: string
  readonly to: number
  readonly allKeys?: boolean
  readonly dryRun?: boolean
  readonly discard?: boolean
  readonly rate?: number
  readonly shardMap?: string
  readonly cacheTtl?: Duration
  readonly lateRequests?: Duration
  readonly json?: boolean
}

/** `isotherm migrate`: another initial count for a whole table, while it is in use. */
export function migrateCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return withConnectionFlags(
    new Command('migrate')
      .requiredOption('--table <name>', 'the table')
      .requiredOption('--to <shards>', 'the new initial count', wholeNumber('--to', 1, MAX_SHARDS))
      .option('--all-keys', 'also for keys that have grown; without it they keep their count')
      .option('--dry-run', 'print the price; nothing is written')
      .option('--discard', 'of an item in two shards, delete the copy that is no longer read')
      .option('--rate <units>', 'capacity units a second that it may use', wholeNumber('--rate', 10, 10_000))
      .option('--shard-map <name>', 'as in the options; <table>_shard_map by default')
      .option('--cache-ttl <duration>', 'as in the options, if they have it')
      .option('--late-requests <duration>', 'as in the options, if they have it'),
  )
    .option('--json', 'print one line of JSON instead of the text')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nThe other options are on the card in the shard map, so the table must have been used with dynamicShards.\n' +
        'The application goes on meanwhile. Ended early, the same command resumes the work.\n' +
        'Exits with 1 if another process has taken over, or if items exist twice.\n' +
        '\nExamples:\n' +
        '  isotherm migrate --table orders --to 8 --dry-run\n' +
        '  isotherm migrate --table orders --to 8 --rate 500\n' +
        '  isotherm migrate --table orders --to 1 --all-keys\n',
    )
    .action(async (flags: MigrateFlags) => exit(await migrated(flags, terminal)))
}

const OF_FIXED_SHARDS =
  'If the table has fixedShards(n), give every process dynamicShards({ initial: n, max: n }) first.'

async function migrated(flags: MigrateFlags, terminal: Terminal): Promise<number> {
  const { out, err } = terminal
  const { table, to, allKeys, dryRun = false, discard, rate, json } = flags
  const client = connectTo(flags.endpoint, flags.region, flags)
  const signal = interruption()
  const copies = new TwoCopiesReport()
  try {
    await requireStoredKeys(client)
    const tables = { [table]: await tableOptions(client, flags) }
    const db = isotherm(client, { tables, onEvent: copies.onEvent })
    try {
      const options = {
        initial: to,
        keys: allKeys === true ? 'all' : 'cold',
        twoCopies: discard === true ? 'discard' : 'keep',
        signal,
        ...(rate === undefined ? {} : { unitsPerSecond: rate }),
      } as const
      if (!dryRun) {
        writeLine(
          err,
          migrationText(table, await db.migrate(table, { ...options, dryRun: true }), options.keys),
        )
      }
      const line = progressLine(terminal)
      let isBegun = false
      const result = await db
        .migrate(table, {
          ...options,
          dryRun,
          onProgress: (progress: MigrationProgress) => {
            if (!isBegun) writeLine(err, begunText(table, to))
            isBegun = true
            const { scanned, ofAbout } = progress
            line.show(phaseText(progress), scanned === 0 ? undefined : scanned / Math.max(scanned, ofAbout))
          },
        })
        .finally(line.end)
      const left = copies.text()
      if (left !== undefined) writeLine(err, left)
      writeLine(out, json ? JSON.stringify(result) : migrationText(table, result, options.keys))
      return result.outcome === 'settled' || result.outcome === 'dry-run' ? EXIT_OK : EXIT_FAILED
    } finally {
      db.destroy()
    }
  } catch (error) {
    throw told(causeOf(error, signal), flags)
  } finally {
    client.destroy()
  }
}

async function tableOptions(
  client: ReturnType<typeof connectTo>,
  flags: MigrateFlags,
): Promise<ShardedTableOptions> {
  const { table, shardMap, cacheTtl, lateRequests } = flags
  const options = await optionsOnCard(client, { table, ...(shardMap === undefined ? {} : { shardMap }) })
  if (options !== undefined) {
    return {
      ...options,
      ...(cacheTtl === undefined ? {} : { cacheTtl }),
      ...(lateRequests === undefined ? {} : { lateRequests }),
    }
  }
  await requiredTable(client, table)
  await requireShardMap(client, flags, OF_FIXED_SHARDS)
  throw new CommandError(
    `The shard map of ${table} does not say how the table is sharded, because no process has used it yet. ${OF_FIXED_SHARDS}`,
    EXIT_FAILED,
  )
}

/** An error that the user can fix, as one sentence; after Ctrl-C, how to resume. */
function told(error: unknown, { table, to }: MigrateFlags): unknown {
  if (error instanceof Interrupted) {
    return new CommandError(
      `The migration of ${table} was ended. It is resumed by the same command, with --to ${to}.`,
      EXIT_INTERRUPTED,
    )
  }
  if (error instanceof IsothermError) return new CommandError(error.message, exitCodeOf(error))
  if (!(error instanceof Error) || error instanceof CommandError) return error
  return endpointFailure(table, error)
}
