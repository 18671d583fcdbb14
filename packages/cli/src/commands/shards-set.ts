import { Command } from 'commander'
import { EXIT_OK } from '../command-error.js'
import { MAX_SHARDS, wholeNumber } from '../flags.js'
import { growthText, stateText, uncountedText } from '../presentation/shards-report.js'
import { type Terminal, writeLine } from '../terminal.js'
import { growthPriceOf, isBetweenCounts, shrinkPriceOf } from './change-price.js'
import { type KeyFlags, neverWritten, withKeyFlags, withRateFlag, withShards } from './shards-session.js'

/** `isotherm shards show`: the state of one key. */
export function showCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return withKeyFlags(new Command('show'))
    .description('show how many shards a key has, and whether that is changing')
    .addHelpText('after', '\nExample:\n  isotherm shards show --table audit_log --key /sale\n')
    .action(async (flags: KeyFlags) => exit(await shown(flags, terminal)))
}

/** `isotherm shards set`: another count for one key. */
export function setCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return withRateFlag(withKeyFlags(new Command('set')))
    .description('give a key another shard count, such as before a sale')
    .requiredOption('--to <shards>', 'the new count', wholeNumber('--to', 1, MAX_SHARDS))
    .option('--dry-run', 'print the price; nothing is written')
    .addHelpText(
      'after',
      '\nThe processes of the application move the items. To have them moved by this command, and to wait for the end of the\n' +
        'change, use isotherm shards drain --to.\n' +
        '\nExamples:\n' +
        '  isotherm shards set --table audit_log --key /sale --to 16\n' +
        '  isotherm shards set --table audit_log --key /sale --to 1 --dry-run\n',
    )
    .action(async (flags: KeyFlags) => exit(await changed(flags, terminal)))
}

function shown(flags: KeyFlags, { out }: Terminal): Promise<number> {
  return withShards(flags, async (shards) => {
    const state = await shards.read()
    if (state === undefined) throw neverWritten(flags)
    writeLine(out, flags.json ? JSON.stringify({ key: flags.key, ...state }) : stateText(flags.key, state))
    return EXIT_OK
  })
}

function changed(flags: KeyFlags, { out, err }: Terminal): Promise<number> {
  const { key, to = 1, json, dryRun } = flags
  return withShards(flags, async (shards, priced) => {
    const before = await shards.read()
    // While the count is changing, the price is refused as the change itself is.
    const isFewer = before !== undefined && (to < before.shards || isBetweenCounts(before))
    if (dryRun) {
      const price = isFewer
        ? await shrinkPriceOf(flags, priced, Math.min(to, before.shards))
        : await growthPriceOf(flags, priced, before?.shards, to)
      writeLine(out, json ? JSON.stringify(price.json) : price.text)
      return EXIT_OK
    }
    if (isFewer) writeLine(err, (await shrinkPriceOf(flags, priced, Math.min(to, before.shards))).text)
    // Items are not counted: it would delay new shards, which may be needed at once.
    else if (priced.options.suffix === 'random') writeLine(err, growthText(key, before?.shards, to))
    else writeLine(err, uncountedText(key, before?.shards, to))
    await shards.set(to)
    const state = await shards.read()
    if (state === undefined) throw neverWritten(flags)
    writeLine(out, json ? JSON.stringify({ key, ...state }) : stateText(key, state))
    return EXIT_OK
  })
}
