import { QueryCommand } from '@aws-sdk/client-dynamodb'
import { concurrently } from '../../bounded/concurrently.js'
import { keyText, type LogicalKey, type SuffixableKey } from '../../keys/key.js'
import { withEnd, withoutEnd } from '../../keys/key-end.js'
import { readKey } from '../../keys/read-key.js'
import { MAX_SHARDS } from '../../options/shard-limits.js'
import { readableShards } from '../states/shard-state.js'
import { numberedFromOne } from './item-elsewhere.js'
import type { DeclaredCounts, SampledItem, UnknownTable } from './unknown-table.js'

/** So many logical keys are looked at, those with the most items in the sample first. */
const MAX_KEYS = 8
const KEYS_AT_A_TIME = 4

/** Items that were compared, and how the items are compared that are found beside them. */
interface ComparedSample {
  readonly sampled: readonly SampledItem[]
  readonly check: (items: readonly SampledItem[]) => Promise<void>
}

/**
 * Queries the stored keys that a wrong count, or a wrong `adopt`, would leave out: the shard after the last one, and where other schemes
 * have the first one. Each part of a sample shows the items of one stored key, or of two. In a table with few logical keys, the sample may
 * therefore show no item of these.
 *
 * @throws IsothermError `items.elsewhere`; the SDK's errors
 */
export async function requireUnusedKeys(
  table: UnknownTable,
  declared: DeclaredCounts,
  { sampled, check }: ComparedSample,
): Promise<void> {
  const { adopt, handMade } = table.options
  // Such names are a list or a function of the application. There is no name after the last one.
  if (handMade !== undefined) return
  await concurrently(mostFrequentKeys(table, sampled), KEYS_AT_A_TIME, async (key) => {
    const after = keyAfterLast(table, key, await readableOf(table, declared, key))
    const unused = [...(after === undefined ? [] : [after]), ...(adopt ? [] : otherFirstKeys(table, key))]
    await Promise.all([
      ...unused.map(async (each) => check(await itemsOf(table, each))),
      adopt ? requireBareFirst(table, key) : undefined,
    ])
  })
}

function mostFrequentKeys(
  { options, suffix }: UnknownTable,
  sampled: readonly SampledItem[],
): readonly LogicalKey[] {
  const { name, partitionKey, adopt, delimiter } = options
  const found = new Map<string, { readonly key: LogicalKey; items: number }>()
  for (const item of sampled) {
    const stored = readKey(name, partitionKey, item[partitionKey])
    // With `adopt`, such a key stands for itself. Without it, it would be the first shard of this one.
    const key = (adopt ? withoutEnd(stored, `${delimiter}1`) : undefined) ?? suffix.strip(stored)?.logical
    if (key === undefined || !suffix.accepts(key)) continue
    const counted = found.get(keyText(key)) ?? { key, items: 0 }
    counted.items += 1
    found.set(keyText(key), counted)
  }
  const keys = [...found.values()].sort((a, b) => b.items - a.items)
  return keys.slice(0, MAX_KEYS).map(({ key }) => key)
}

async function readableOf({ suffix }: UnknownTable, { stateOf, count }: DeclaredCounts, key: LogicalKey) {
  const state = suffix.accepts(key) ? await stateOf?.(key) : undefined
  return state === undefined ? count : readableShards(state)
}

function keyAfterLast({ suffix }: UnknownTable, key: LogicalKey, last: number): SuffixableKey | undefined {
  const shard = last + 1
  return shard <= MAX_SHARDS && suffix.hasRoom(key, shard) ? suffix.add(key, shard) : undefined
}

/** With `adopt`, the key itself is its first shard. Where shards are numbered from 0, that has another name. */
function otherFirstKeys({ options, suffix }: UnknownTable, key: LogicalKey): readonly SuffixableKey[] {
  const others = [key, withEnd(key, `${options.delimiter}0`)]
  // The key of an item is not empty. One that ends like a suffix is stored as a shard of a shorter key.
  return others.filter((other) => keyText(other as LogicalKey) !== '' && suffix.strip(other) === undefined)
}

/** With `adopt`, requires that the key itself has items if the keys have them that end with 1 and 2. */
async function requireBareFirst(table: UnknownTable, key: LogicalKey): Promise<void> {
  const { options, suffix } = table
  const { delimiter } = options
  if (!suffix.hasRoom(key, 2)) return
  const hasItems = async (stored: SuffixableKey) => (await itemsOf(table, stored)).length > 0
  if (!(await hasItems(withEnd(key, `${delimiter}1`)))) return
  const [hasSecond, hasBare] = await Promise.all([hasItems(withEnd(key, `${delimiter}2`)), hasItems(key)])
  // A key may end with the delimiter and 1 by itself.
  if (hasSecond && !hasBare) throw numberedFromOne(options, key)
}

/** The first item of a stored key, if it has any. */
async function itemsOf(
  { options, client }: UnknownTable,
  key: SuffixableKey,
): Promise<readonly SampledItem[]> {
  const { name, partitionKey, sortKey } = options
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: name,
      Limit: 1,
      KeyConditionExpression: '#first = :key',
      ProjectionExpression: sortKey === undefined ? '#first' : '#first, #second',
      ExpressionAttributeNames: {
        '#first': partitionKey,
        ...(sortKey === undefined ? {} : { '#second': sortKey }),
      },
      ExpressionAttributeValues: { ':key': { ...key } },
    }),
  )
  return Items
}
