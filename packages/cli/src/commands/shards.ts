import { Command } from 'commander'
import type { KeyShards, KeyShardsState } from 'isotherm'
import { CommandError, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK } from '../command-error.js'
import { MAX_SHARDS, wholeNumber } from '../flags.js'
import { causeOf, Interrupted } from '../interruption.js'
import { grouped } from '../presentation/figures.js'
import { progressLine } from '../presentation/progress-line.js'
import { type Drained, drainText, priceText, uncountedText } from '../presentation/shards-report.js'
import { TwoCopiesReport } from '../presentation/two-copies-report.js'
import { type Terminal, writeLine } from '../terminal.js'
import {
  type ChangePrice,
  growthPriceOf,
  isBetweenCounts,
  moveBoundOf,
  shrinkPriceOf,
} from './change-price.js'
import { rebuildCommand } from './rebuild.js'
import { createTableCommand, listCommand } from './shards-list.js'
import {
  type KeyFlags,
  neverWritten,
  type PricedKey,
  withKeyFlags,
  withRateFlag,
  withShards,
} from './shards-session.js'
import { setCommand, showCommand } from './shards-set.js'

/** `isotherm shards`: what fewer shards of a key would cost, and the move of its items, from one process. */
export function shardsCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const price = withRateFlag(withKeyFlags(new Command('price')))
    .description('count the items that fewer shards of a key would move; nothing is written')
    .requiredOption('--to <shards>', 'the count to compare with', wholeNumber('--to', 1, MAX_SHARDS))
    .addHelpText('after', '\nExample:\n  isotherm shards price --table audit_log --key /sale --to 1\n')
    .action(async (flags: KeyFlags) => exit(await priced(flags, terminal)))
  const drain = withRateFlag(withKeyFlags(new Command('drain')))
    .description('complete the change of a key: move its items, and stop reading the retired shards')
    .option('--to <shards>', 'change the count first', wholeNumber('--to', 1, MAX_SHARDS))
    .option('--dry-run', 'print the price of --to; nothing is written')
    .option('--discard', 'of an item in two shards, delete the copy that is no longer read')
    .addHelpText(
      'after',
      '\nThe application may go on meanwhile. Ended early, any process resumes the change.\n' +
        'As a job of its own it moves the items instead of the processes of the application.\n' +
        'Exits with 1 if another process has taken the change over, or if items exist twice.\n' +
        '\nExample:\n  isotherm shards drain --table audit_log --key /sale --to 1 --rate 500\n',
    )
    .action(async (flags: KeyFlags) => exit(await drained(flags, terminal)))
  return new Command('shards')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  isotherm shards list --table audit_log\n' +
        '  isotherm shards set --table audit_log --key /sale --to 16\n' +
        '  isotherm shards price --table audit_log --key /sale --to 1\n' +
        '  isotherm shards rebuild --table orders --suffix calculated --dry-run\n',
    )
    .addCommand(listCommand(terminal, exit))
    .addCommand(showCommand(terminal, exit))
    .addCommand(setCommand(terminal, exit))
    .addCommand(price)
    .addCommand(drain)
    .addCommand(createTableCommand(terminal, exit))
    .addCommand(rebuildCommand(terminal, exit))
}

async function priced(flags: KeyFlags, { out }: Terminal): Promise<number> {
  const { to = 1, rate, json, key } = flags
  return withShards(flags, async (shards, { signal }) => {
    const price = await shards.price(to, { signal, ...(rate === undefined ? {} : { unitsPerSecond: rate }) })
    if (price === undefined) throw neverWritten(flags)
    writeLine(out, json ? JSON.stringify(price) : priceText(key, price))
    return EXIT_OK
  })
}

async function drained(flags: KeyFlags, terminal: Terminal): Promise<number> {
  const { out, err } = terminal
  const { to, rate, json, key, dryRun, discard } = flags
  const copies = new TwoCopiesReport()
  const work = async (shards: KeyShards, priced: PricedKey) => {
    const { signal } = priced
    const before = await shards.read()
    if (before === undefined && to === undefined) throw neverWritten(flags)
    if (dryRun) {
      const price = await drainPrice(flags, priced, before)
      writeLine(out, json ? JSON.stringify(price.json) : price.text)
      return EXIT_OK
    }
    if (to !== undefined && before?.phase === 'settled' && to < before.shards) {
      writeLine(err, (await shrinkPriceOf(flags, priced, to)).text)
    } else if (before !== undefined && isBetweenCounts(before)) {
      writeLine(err, uncountedText(key, before.from, before.to))
    }
    if (to !== undefined) await shards.set(to)
    let moved = 0
    const line = progressLine(terminal)
    const outcome = await shards
      .drain({
        signal,
        twoCopies: discard === true ? 'discard' : 'keep',
        ...(rate === undefined ? {} : { unitsPerSecond: rate }),
        onProgress: (progress) => {
          moved = progress.moved
          const { shard, shards: of } = progress
          line.show(`${grouped(moved)} items moved; shard ${shard} of ${of}`, (shard - 1) / of)
        },
      })
      .finally(line.end)
      .catch((error: unknown) => {
        throw causeOf(error, signal) instanceof Interrupted ? ended(flags, moved) : error
      })
    const result: Drained = { outcome, moved, shards: (await shards.read())?.shards }
    const left = copies.text()
    if (left !== undefined) writeLine(err, left)
    writeLine(out, json ? JSON.stringify(result) : drainText(key, result))
    return outcome === 'settled' ? EXIT_OK : EXIT_FAILED
  }
  return withShards(flags, work, copies.onEvent)
}

function drainPrice(
  flags: KeyFlags,
  priced: PricedKey,
  before: KeyShardsState | undefined,
): Promise<ChangePrice> {
  if (before === undefined) return growthPriceOf(flags, priced, undefined, flags.to ?? 1)
  const { to = before.shards } = flags
  // Another count is refused while one is changing.
  if (flags.to === undefined && isBetweenCounts(before)) {
    return moveBoundOf(flags, priced, before.from, before.to)
  }
  return to > before.shards && !isBetweenCounts(before)
    ? growthPriceOf(flags, priced, before.shards, to)
    : shrinkPriceOf(flags, priced, Math.min(to, before.shards))
}

function ended({ table, key }: KeyFlags, moved: number): CommandError {
  return new CommandError(
    `The drain of '${key}' of ${table} was ended after at least ${moved} items. The same command without --to resumes it, as does any process that uses the key, after about a minute.`,
    EXIT_INTERRUPTED,
  )
}
