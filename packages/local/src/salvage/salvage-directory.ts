import { existsSync, readdirSync } from 'node:fs'
import { LocalError } from '../errors/local-error.js'
import { claimFile } from '../storage/lmdb/data-directory.js'
import { LmdbStorage } from '../storage/lmdb/lmdb-storage.js'
import { type StoredRow, storedRows } from '../storage/lmdb/stored-rows.js'
import type { RecordChange, RecordValue } from '../storage/record.js'
import type { TableState } from '../table/table-state.js'
import type { DirectoryReport } from './directory-report.js'
import { DirectoryTally } from './directory-tally.js'

/** What one commit writes: a commit is in memory as a whole. */
const ITEMS_AT_ONCE = 500
const BYTES_AT_ONCE = 4 * 1024 * 1024

/** The end of the name of the keyspace by which items expire. */
const EXPIRY = '#expiry'

/**
 * Copies everything that is intact to a new data directory: tables, items and streams. Indexes are not copied. The engine
 * fills them from the items when it opens the new directory, so that an index agrees with its table whatever was lost.
 *
 * @param directory the damaged directory. Nothing in it is changed, and no engine may have it open.
 * @param target a directory that is missing or empty.
 * @returns what the damaged directory holds.
 * @throws LocalError when one of the two cannot be used.
 */
export async function salvageDirectory(directory: string, target: string): Promise<DirectoryReport> {
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new LocalError(
      'storage.foreign',
      `The directory ${target} is not empty. Give the name of a new directory for what is salvaged.`,
      { directory: target },
    )
  }
  const claimed = claimFile(directory)
  try {
    const storage = new LmdbStorage(target)
    try {
      const tally = new DirectoryTally()
      await copy(storedRows(claimed), storage, tally)
      return tally.report(claimed.path)
    } finally {
      await storage.close()
    }
  } finally {
    await claimed.release()
  }
}

async function copy(rows: Iterable<StoredRow>, storage: LmdbStorage, tally: DirectoryTally): Promise<void> {
  const records: RecordChange[] = []
  const refilled = new Set<string>()
  let items = 0
  let bytes = 0
  for (const row of rows) {
    tally.count(row)
    if (row.type === 'record') {
      records.push(unfilled(row.name, row.value))
      for (const keyspace of filledFromItems(row.name, row.value)) refilled.add(keyspace)
    }
    if (row.type !== 'item' || refilled.has(row.keyspace)) continue
    const { keyspace, key, stored: after } = row
    // A damaged page may lead to rows that have been written already.
    const before = storage.open(keyspace).latest(key)
    const written = storage.write([{ keyspace, key, before, after }])
    items++
    bytes += after.bytes
    if (items < ITEMS_AT_ONCE && bytes < BYTES_AT_ONCE) continue
    await written
    items = 0
    bytes = 0
  }
  // A table exists once its record does, so records come last.
  await storage.write([], records)
}

/** The record of a table says that its indexes are not complete, so that the engine fills them. */
function unfilled(name: string, value: RecordValue): RecordChange {
  const state = tableState(name, value)
  if (state === undefined) return { name, value }
  const { timeToLive } = state
  const indexes = state.definition.indexes.map(({ name: index }) => [
    index,
    { addedLater: false, ...state.indexes[index], complete: false },
  ])
  const filled = {
    ...state,
    indexes: Object.fromEntries(indexes),
    ...(timeToLive === undefined ? {} : { timeToLive: { ...timeToLive, complete: false } }),
  }
  return { name, value: filled as unknown as RecordValue }
}

/** The keyspaces that the engine fills from the items of a table. */
function filledFromItems(name: string, value: RecordValue): readonly string[] {
  const state = tableState(name, value)
  if (state === undefined) return []
  const keyspace = name.slice(TABLE_RECORD.length)
  return [...state.definition.indexes.map(({ name: index }) => index), EXPIRY].map(
    (each) => `${keyspace}/${each}`,
  )
}

const TABLE_RECORD = 'table/'

function tableState(name: string, value: RecordValue): TableState | undefined {
  return name.startsWith(TABLE_RECORD) ? (value as unknown as TableState) : undefined
}
