import {
  type AttributeValue,
  DescribeTableCommand,
  paginateScan,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb'
import { Command } from 'commander'
import { ensureShardMap } from 'isotherm'
import { CommandError, EXIT_FAILED, EXIT_OK } from '../command-error.js'
import { wholeNumber } from '../flags.js'
import { type ListedKey, listText } from '../presentation/shards-report.js'
import { storedKeyState } from '../stored-key-state.js'
import { printable, type Terminal, writeLine } from '../terminal.js'
import { requiredTable, requireShardMap } from './required-tables.js'
import { type TableFlags, withTable, withTableFlags } from './shards-session.js'

interface ListFlags extends TableFlags {
  readonly top: number
}

/** Items of the shard map that are not the state of a key begin with this text. */
const OWN_KEYS = 'isotherm:'
const MAX_LISTED = 100_000

/** `isotherm shards list`: the keys of a shard map. */
export function listCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return withTableFlags(new Command('list'))
    .description('list the keys that have a shard count of their own, those with the most shards first')
    .option('--top <keys>', 'how many', wholeNumber('--top', 1, MAX_LISTED), 50)
    .addHelpText(
      'after',
      '\nIt reads the whole shard map, half a read unit for each 4 KB of it.\n' +
        '\nExamples:\n' +
        '  isotherm shards list --table audit_log\n' +
        '  isotherm shards list --table audit_log --top 1000 --json\n',
    )
    .action(async (flags: ListFlags) => exit(await listed(flags, terminal)))
}

/** `isotherm shards create-table`: the shard map of a table. */
export function createTableCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return withTableFlags(new Command('create-table'))
    .description('create the shard map of a table, if there is none, and wait until it is active')
    .option('--dry-run', 'say what would be created; nothing is written')
    .addHelpText('after', '\nExample:\n  isotherm shards create-table --table audit_log\n')
    .action(async (flags: TableFlags & { readonly dryRun?: boolean }) =>
      exit(await created(flags, flags.dryRun ?? false, terminal)),
    )
}

function listed(flags: ListFlags, { out }: Terminal): Promise<number> {
  const { table, json, top } = flags
  return withTable(flags, async (client, abortSignal) => {
    const TableName = shardMapOf(flags)
    const described = client.send(new DescribeTableCommand({ TableName }), { abortSignal })
    const { Table } = await described.catch(async (error: unknown) => {
      if (error instanceof ResourceNotFoundException) {
        await requiredTable(client, table)
        await requireShardMap(client, flags)
      }
      throw error
    })
    const key = Table?.KeySchema?.[0]?.AttributeName
    if (key === undefined) throw new CommandError(`${TableName} has no partition key.`, EXIT_FAILED)
    const keys: ListedKey[] = []
    let found = 0
    for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
      abortSignal.throwIfAborted()
      for (const item of Items) {
        const one = listedKey(item[key], item)
        if (one === undefined) continue
        found++
        keys.push(one)
      }
      // Memory is bounded, however many keys there are.
      if (keys.length > 2 * top) keepTop(keys, top)
    }
    keepTop(keys, top)
    writeLine(
      out,
      json ? JSON.stringify({ table, shardMap: TableName, found, keys }) : listText(table, found, keys),
    )
    return EXIT_OK
  })
}

function created(flags: TableFlags, dryRun: boolean, { out }: Terminal): Promise<number> {
  const { table, shardMap, json } = flags
  return withTable(flags, async (client) => {
    if (dryRun) {
      await client.send(new DescribeTableCommand({ TableName: table }))
      const text = `Would create the on-demand table ${shardMapOf(flags)} with the partition key of ${table}, if it does not exist.`
      writeLine(out, json ? JSON.stringify({ table, shardMap: shardMapOf(flags), dryRun }) : printable(text))
      return EXIT_OK
    }
    const name = await ensureShardMap(client, { table, ...(shardMap === undefined ? {} : { shardMap }) })
    writeLine(
      out,
      json ? JSON.stringify({ table, shardMap: name }) : printable(`The shard map ${name} is active.`),
    )
    return EXIT_OK
  })
}

function shardMapOf({ table, shardMap = `${table}_shard_map` }: TableFlags): string {
  return shardMap
}

function listedKey(
  key: AttributeValue | undefined,
  item: Readonly<Record<string, AttributeValue>>,
): ListedKey | undefined {
  const name = key?.S ?? (key?.B === undefined ? undefined : Buffer.from(key.B).toString('base64'))
  if (name === undefined || name.startsWith(OWN_KEYS) || isOwnBytes(key)) return undefined
  // It has the initial count that is on the card now, and not the one that its item repeats.
  if (item.initial_as_of !== undefined) return undefined
  return { key: name, ...storedKeyState(item) }
}

function isOwnBytes(key: AttributeValue | undefined): boolean {
  return key?.B !== undefined && Buffer.from(key.B).toString('utf8').startsWith(OWN_KEYS)
}

function keepTop(keys: ListedKey[], top: number): void {
  keys.sort((one, other) => other.shards - one.shards || (one.key < other.key ? -1 : 1))
  keys.length = Math.min(keys.length, top)
}
