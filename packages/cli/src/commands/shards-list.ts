import { type AttributeValue, DescribeTableCommand, paginateScan } from '@aws-sdk/client-dynamodb'
import { Command } from 'commander'
import { ensureShardMap } from 'isotherm'
import { CommandError, EXIT_FAILED, EXIT_OK } from '../command-error.js'
import { wholeNumber } from '../flags.js'
import { type ListedKey, listText } from '../presentation/shards-report.js'
import { printable, type Terminal, writeLine } from '../terminal.js'
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
    const { Table } = await client.send(new DescribeTableCommand({ TableName }), { abortSignal })
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
  item: Record<string, AttributeValue>,
): ListedKey | undefined {
  const name = key?.S ?? (key?.B === undefined ? undefined : Buffer.from(key.B).toString('base64'))
  if (name === undefined || name.startsWith(OWN_KEYS) || isOwnBytes(key)) return undefined
  const { number_of_shards, phase, last_updated, from_shards, to_shards, shard_history } = item
  const shards = Number(number_of_shards?.N ?? 1)
  const counts = countsOf(shard_history?.SS ?? [])
  return {
    key: name,
    shards,
    readableShards: Math.max(shards, Number(from_shards?.N ?? 0), ...counts),
    ...(to_shards?.N === undefined ? {} : { to: Number(to_shards.N) }),
    phase: phase?.S ?? (hasRetired(counts) ? 'retired' : 'settled'),
    lastUpdated: Number(last_updated?.N ?? 0),
  }
}

/** The counts that the key has had since its last drain, the oldest first, each stored with its second: `1764350000:4`. */
function countsOf(history: readonly string[]): readonly number[] {
  return history
    .map((entry) => entry.split(':').map(Number))
    .sort(([one = 0], [other = 0]) => one - other)
    .map(([, count = 0]) => count)
}

/** Whether a count was lowered: queries read the shards above it until they are drained. */
function hasRetired(counts: readonly number[]): boolean {
  return counts.some((count, at) => counts.slice(0, at).some((earlier) => earlier > count))
}

function isOwnBytes(key: AttributeValue | undefined): boolean {
  return key?.B !== undefined && Buffer.from(key.B).toString('utf8').startsWith(OWN_KEYS)
}

function keepTop(keys: ListedKey[], top: number): void {
  keys.sort((one, other) => other.shards - one.shards || (one.key < other.key ? -1 : 1))
  keys.length = Math.min(keys.length, top)
}
