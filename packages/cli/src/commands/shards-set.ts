import { Command } from 'commander'
import { EXIT_OK } from '../command-error.js'
import { wholeNumber } from '../flags.js'
import { priceText, stateText } from '../presentation/shards-report.js'
import { type Terminal, writeLine } from '../terminal.js'
import { type KeyFlags, MAX_SHARDS, neverWritten, withKeyFlags, withShards } from './shards-session.js'

/** `isotherm shards show`: the state of one key. */
export function showCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return withKeyFlags(new Command('show'))
    .description('show how many shards a key has, and whether that is changing')
    .addHelpText('after', '\nExample:\n  isotherm shards show --table audit_log --key /sale\n')
    .action(async (flags: KeyFlags) => exit(await shown(flags, terminal)))
}

/** `isotherm shards set`: another count for one key. */
export function setCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return withKeyFlags(new Command('set'))
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

function changed(flags: KeyFlags, { out }: Terminal): Promise<number> {
  const { key, to = 1, json, dryRun, rate } = flags
  return withShards(flags, async (shards, signal) => {
    const before = await shards.read()
    if (dryRun) {
      if (before !== undefined && to < before.shards) {
        const price = await shards.price(to, {
          signal,
          ...(rate === undefined ? {} : { unitsPerSecond: rate }),
        })
        if (price === undefined) throw neverWritten(flags)
        writeLine(out, json ? JSON.stringify(price) : priceText(key, price))
      } else {
        const price = { from: before?.shards, to, items: 0 }
        const text = `"${key}" from ${before?.shards ?? 'the initial count'} to ${to} shards. New shards cost two writes of the shard map; a calculated suffix then moves items as they are written.`
        writeLine(out, json ? JSON.stringify(price) : text)
      }
      return EXIT_OK
    }
    await shards.set(to)
    const state = await shards.read()
    if (state === undefined) throw neverWritten(flags)
    writeLine(out, json ? JSON.stringify({ key, ...state }) : stateText(key, state))
    return EXIT_OK
  })
}
