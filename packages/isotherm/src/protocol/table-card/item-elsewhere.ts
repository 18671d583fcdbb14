import { IsothermError } from '../../errors/isotherm-error.js'
import { type LogicalKey, plainKey, type SuffixableKey } from '../../keys/key.js'
import { withEnd } from '../../keys/key-end.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import { rebuildCommand } from './rebuild-command.js'
import type { DeclaredCounts } from './unknown-table.js'

/** The error of an item whose key is of no shard. */
export function withoutSuffix({ name, delimiter, handMade }: ShardedTable, stored: SuffixableKey) {
  const reason =
    handMade === undefined
      ? `the options say that each stored key ends with ${delimiter} and the number of a shard`
      : `handMade "${handMade.name}" has no shard with that name`
  const cure =
    handMade === undefined
      ? 'If the table had items before it was sharded, set adopt: true. If it was sharded with another delimiter, set that one.'
      : `${CORRECT_SCHEME} If other programs store such items, set checkItems: false.`
  return new IsothermError(
    'items.elsewhere',
    `${name} has an item with the partition key ${shown(stored)}, and ${reason}. The item would not be found. ${cure}`,
    { table: name, storedKey: plainKey(stored as LogicalKey), shard: undefined, shards: undefined },
  )
}

/** A found item, and the shards of its key. */
interface FoundItem {
  readonly stored: SuffixableKey
  readonly logical: LogicalKey
  readonly shard: number
  /** How many shards the shard map says that the key has. */
  readonly readable?: number
}

/** The error of an item in a shard where the options do not look for it. */
export function elsewhere(table: ShardedTable, declared: DeclaredCounts, found: FoundItem) {
  const { name, handMade } = table
  const { stored, logical, shard, readable = declared.count } = found
  const reason =
    handMade === undefined
      ? reasonOf(table, declared, found)
      : `handMade "${handMade.name}" looks for it in another shard`
  const cure = handMade === undefined ? cureOf(table, declared) : CORRECT_SCHEME
  return new IsothermError(
    'items.elsewhere',
    `${name} has an item with the partition key ${shown(stored)}, shard ${shard} of ${shown(logical)}, and ${reason}. The item would not be found. ${cure}`,
    { table: name, storedKey: plainKey(stored as LogicalKey), shard, shards: readable },
  )
}

const CORRECT_SCHEME = 'Correct the scheme, and compare it with more items with checkHandMade.'

/** The error of a table with `adopt` whose keys have their first shard under the number 1. */
export function numberedFromOne({ name, delimiter }: ShardedTable, key: LogicalKey) {
  const first = withEnd(key, `${delimiter}1`)
  const second = withEnd(key, `${delimiter}2`)
  return new IsothermError(
    'items.elsewhere',
    `${name} has items with the partition keys ${shown(first)} and ${shown(second)}, and none with ${shown(key)}, where the options with adopt: true look for shard 1 of it. ` +
      `The items of ${shown(first)} would not be found. If the keys have shards 1, 2 and so on, leave adopt out. If keys end like that by themselves, choose a delimiter that no key contains.`,
    { table: name, storedKey: plainKey(first as LogicalKey), shard: undefined, shards: undefined },
  )
}

function reasonOf({ shardMap }: ShardedTable, { shards, count }: DeclaredCounts, found: FoundItem): string {
  const { shard, readable = count } = found
  const said =
    shards === 'fixedShards'
      ? `the options say fixedShards(${count})`
      : `the shard map ${shardMap} ${found.readable === undefined ? 'has no item of that key, so it has' : 'says that the key has'} ${readable} ${readable === 1 ? 'shard' : 'shards'}`
  return shard <= readable ? `${said}, which is not the calculated shard` : said
}

function cureOf({ name, suffix, adopt }: ShardedTable, { shards }: DeclaredCounts): string {
  const cures = [
    shards === 'fixedShards'
      ? 'Set the count as it was.'
      : `If the shard map was lost, emptied or restored, or is that of another table, rebuild it with: ${rebuildCommand(name)}. If the table had fixedShards(n), set initial: n.`,
    ...(suffix === 'random'
      ? []
      : ['If the suffix was random, or calculated from other attributes, set that.']),
    ...(adopt ? ['If keys end like that by themselves, choose a delimiter that no key contains.'] : []),
  ]
  return cures.join(' ')
}

function shown(key: SuffixableKey): string {
  return 'S' in key ? JSON.stringify(key.S) : `0x${Buffer.from(key.B).toString('hex')}`
}
