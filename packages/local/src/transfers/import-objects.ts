import { ValidationError } from '@isotherm/semantics'
import { BucketError, fileError } from '../buckets/bucket-error.js'
import type { BucketObject, Buckets } from '../buckets/buckets.js'
import type { ImportCounts, ImportState } from '../catalog/import-state.js'
import { ServiceError } from '../errors/service-error.js'
import type { Storage } from '../storage/storage.js'
import type { Table } from '../table/table.js'
import { decodeItem } from '../validation/decode-item.js'
import { storedItem } from '../validation/stored-item.js'
import { csvEntries } from './csv-entries.js'
import { type ImportEntry, UnreadableObject } from './import-entry.js'
import { ImportWriter } from './import-writer.js'
import { jsonEntries } from './json-entries.js'
import { objectPieces } from './object-pieces.js'

/** What an import reads, and where to. */
export interface ImportJob {
  readonly state: ImportState
  readonly table: Table
  readonly buckets: Buckets
  readonly storage: Storage
  /** Ends the import. */
  readonly signal: AbortSignal
  readonly onProgress: (counts: ImportCounts) => void
}

/** The result of an import. */
export interface Imported {
  readonly counts: ImportCounts
  /** The first errors, as sentences without a full stop. */
  readonly errors: readonly string[]
}

/** The files of an export that hold no items. */
const NO_DATA = /(^|\/)(_started|manifest-(files|summary)\.(json|checksum|md5))$/

const MAX_REPORTED = 10
const MAX_REPORTED_CHARACTERS = 300

/**
 * Reads all objects of an import into its table. An item that is invalid is counted and left out, and so is the rest of an
 * object that cannot be read.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataImport.Validation.html
 * @throws BucketError when the objects cannot be reached
 */
export async function importObjects(job: ImportJob): Promise<Imported> {
  const { state, table, buckets, storage, signal, onProgress } = job
  const { bucket, prefix = '' } = state.source
  const objects = (await buckets.objects(bucket, prefix)).filter(({ key }) => !NO_DATA.test(key))
  if (objects.length === 0) {
    throw new BucketError(
      'S3NoSuchKey',
      `No object with data has a key that begins with '${prefix}' in the bucket ${bucket}. Check S3KeyPrefix.`,
    )
  }
  const writer = new ImportWriter(table, storage, signal)
  const errors: string[] = []
  const counts = { errors: 0, processedBytes: 0, processedItems: 0, importedItems: 0 }
  const refuse = (place: string, error: string) => {
    counts.errors++
    if (errors.length < MAX_REPORTED) errors.push(`${place}: ${error.slice(0, MAX_REPORTED_CHARACTERS)}`)
  }
  for (const object of objects) {
    try {
      for await (const entries of entriesOf(object, job, counts)) {
        signal.throwIfAborted()
        for (const { line, item, error } of entries) {
          counts.processedItems++
          const refusal = error ?? put(writer, table, item)
          if (refusal === undefined) counts.importedItems++
          else refuse(`${object.key}, line ${line}`, refusal)
          if (writer.isFull) await writer.flush()
        }
        onProgress({ ...counts })
      }
    } catch (error) {
      if (!(error instanceof UnreadableObject)) throw fileError(object.key, 'read', error)
      refuse(object.key, error.message)
    }
  }
  await writer.flush()
  return { counts, errors }
}

async function* entriesOf(
  { key }: BucketObject,
  { state, table, buckets, signal }: ImportJob,
  counts: { processedBytes: number },
): AsyncGenerator<readonly ImportEntry[]> {
  const { source, compression, format } = state
  const stored = await buckets.read(source.bucket, key)
  async function* counted() {
    for await (const piece of objectPieces(stored, compression, signal)) {
      // Rows that cannot be read give no entries, at which the import would end otherwise.
      signal.throwIfAborted()
      counts.processedBytes += piece.length
      yield piece
    }
  }
  if (format.type === 'CSV') yield* csvEntries(counted(), format, table.definition)
  else yield* jsonEntries(counted())
}

/** @returns why the item is refused, if it is */
function put(writer: ImportWriter, table: Table, item: unknown): string | undefined {
  try {
    writer.put(storedItem(table, decodeItem(item)))
    return undefined
  } catch (error) {
    if (error instanceof ServiceError || error instanceof ValidationError) return error.message
    throw error
  }
}
