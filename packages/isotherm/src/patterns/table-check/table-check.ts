import type { TableDescription } from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import { RecentlyUsedMap } from '../../bounded/recently-used-map.js'
import { isOfCredentials } from '../sending/is-of-credentials.js'
import { isTransient } from '../sending/is-transient.js'
import type { Sender } from '../sending/pattern-client.js'
import { describeTable } from '../sending/table-status.js'
import type { ExpectedTable } from './expected-table.js'
import { indexDiffers, indexMissing, keyDiffers, tableMissing } from './table-errors.js'

/** The types of a table's key, by the names of its attributes. Empty if the table could not be described. */
export type KeyTypes = ReadonlyMap<string, string>

/** Tables that are known to fit, for each client. Beyond them, the one that was used least recently is described again. */
const MAX_TABLES = 1_000

/** All calls of a process share a description. One that has no answer for so long may never have one, and the next call sends another. */
const LONGEST_MILLISECONDS = 10_000

interface Checked {
  types: Promise<KeyTypes> | undefined
  /** When the next call waits for them no longer. */
  until: number
}

const checked = new WeakMap<Sender, RecentlyUsedMap<string, Checked>>()

/**
 * Returns a function that compares the table with what a pattern needs. A mistake is an error before anything is written, not a failure of
 * later requests: DynamoDB accepts items for an index that does not exist.
 *
 * The table is described once for each client. Without the right to do so, and on an engine that cannot, the options are believed. A table that
 * does not fit is described again by the next call, and so is one whose description failed for a reason that passes.
 *
 * @throws IsothermError (the returned function) `table.missing`, `table.differs` or `table.no-index`
 */
export function tableCheck(db: Sender, expected: ExpectedTable, clock: Clock): () => Promise<KeyTypes> {
  const name = JSON.stringify(expected)
  const begin = (known: Checked): Promise<KeyTypes> => {
    const forget = () => {
      if (known.types === types) known.types = undefined
    }
    const types = readTypes(db, expected, forget).then(
      (read) => {
        if (known.types === types) known.until = Number.POSITIVE_INFINITY
        return read
      },
      (error: unknown) => {
        forget()
        throw error
      },
    )
    known.types = types
    known.until = clock.now() + LONGEST_MILLISECONDS
    return types
  }
  return () => {
    const known = checkedBy(db, name)
    const { types, until } = known
    return types === undefined || clock.now() >= until ? begin(known) : types
  }
}

/** Returns a client that sends nothing before the check of its table. */
export function checkedSender(client: Sender, check: () => Promise<unknown>): Sender {
  const send = async (...request: Parameters<Sender['send']>) => {
    await check()
    return client.send(...request)
  }
  return { send: send as Sender['send'] }
}

/** Returns a function that does the work after the check of its table. */
export function withTable(check: () => Promise<unknown>) {
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await check()
    return work()
  }
}

function checkedBy(db: Sender, name: string): Checked {
  const ofClient = checked.get(db) ?? new RecentlyUsedMap<string, Checked>(MAX_TABLES)
  checked.set(db, ofClient)
  const known = ofClient.get(name) ?? { types: undefined, until: 0 }
  ofClient.set(name, known)
  return known
}

/** @param forget called if the table is to be described again next time */
async function readTypes(db: Sender, expected: ExpectedTable, forget: () => void): Promise<KeyTypes> {
  const described = await describeTable(db, expected.table).catch((error: unknown) => {
    if (passes(error)) forget()
    return 'unreadable' as const
  })
  if (described === 'unreadable') return new Map()
  if (described === undefined) throw tableMissing(expected)
  // An engine may not say what keys a table has.
  if (described.KeySchema === undefined || described.KeySchema.length === 0) return new Map()
  const types = typesIn(described)
  requireKey(expected, described, types)
  requireIndex(expected, described, types)
  return new Map([...types].filter(([attribute]) => expected.keys.includes(attribute)))
}

/** Whether the same request may succeed later. Whether the process may describe the table is unknown until its credentials are valid. */
function passes(error: unknown): boolean {
  return isTransient(error) || isOfCredentials(error) || Object(error).$fault === 'server'
}

function typesIn({ AttributeDefinitions = [] }: TableDescription): KeyTypes {
  return new Map(
    AttributeDefinitions.map(({ AttributeName = '', AttributeType = '' }) => [AttributeName, AttributeType]),
  )
}

function requireKey(expected: ExpectedTable, { KeySchema = [] }: TableDescription, types: KeyTypes): void {
  for (const [at, setting] of (['partitionKey', 'sortKey'] as const).entries()) {
    const found = KeySchema[at]?.AttributeName
    const given = expected.keys[at]
    if (found !== given) throw keyDiffers(expected, setting, found, given)
    const type = types.get(found ?? '')
    if (type === undefined || expected.keyType === undefined || type === expected.keyType) continue
    throw keyDiffers(expected, setting, `${found} (${type})`, `${given} (${expected.keyType})`)
  }
}

function requireIndex(expected: ExpectedTable, described: TableDescription, types: KeyTypes): void {
  const { index } = expected
  if (index === undefined) return
  const found = described.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index.name)
  if (found === undefined) throw indexMissing(expected, index)
  const [partition, sort] = found.KeySchema?.map(({ AttributeName = '' }) => AttributeName) ?? []
  if (partition === undefined) return
  const hasPartition =
    partition === index.partitionKey ||
    index.shardedAs === 'any' ||
    (index.shardedAs === 'default' && partition === `isotherm_${index.name}`)
  const hasSort = sort === index.sortKey && isType(types, sort, index.sortType)
  if (hasPartition && isType(types, partition, 'S') && hasSort) return
  const text = (attribute: string | undefined) =>
    attribute === undefined ? [] : [`${attribute} (${types.get(attribute) ?? '?'})`]
  throw indexDiffers(expected, index, [...text(partition), ...text(sort)].join(', '))
}

function isType(types: KeyTypes, attribute: string, type: 'S' | 'N'): boolean {
  return (types.get(attribute) ?? type) === type
}
