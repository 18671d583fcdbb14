import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { type Clock, type Random, SystemClock, SystemRandom } from '@isotherm/runtime'
import { pacedScan, pacedSender } from '../attempts/paced-scan.js'
import type { IndexedTableOptions, ShardedTableOptions } from '../client/options.js'
import { parseOptions } from '../client/parse-options.js'
import { indexes } from '../client/parts/indexes.js'
import { partsOf } from '../client/parts/parts.js'
import { TableRuntime } from '../client/table-runtime.js'
import { invalidOption, refuseUnknown, requireText } from '../options/check.js'
import { requireDrainRate } from '../options/shard-limits.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import { calculated } from '../writes/calculated.js'
import { IndexedTable } from './indexed-table.js'
import { missingShadowKeys } from './missing-shadow-keys.js'

export interface BackfillIndexesOptions {
  /** The table's name. */
  readonly table: string
  /** Its options, as `isotherm` gets them. */
  readonly options: ShardedTableOptions | IndexedTableOptions
  /** Capacity units a second that it may use, 10 to 10,000. Default 100. */
  readonly unitsPerSecond?: number
  /** `lastKey` of the progress where it was ended, to go on there. */
  readonly startKey?: Record<string, AttributeValue>
  /** Ends the work, which can be gone on with later. */
  readonly signal?: AbortSignal
  /** Told after each page of items. */
  readonly onProgress?: (progress: BackfillProgress) => void
  /** Time. Default: the machine's. */
  readonly clock?: Clock
  /** Chance. Default: the machine's. */
  readonly random?: Random
}

export interface BackfillProgress {
  /** Items looked at. */
  readonly scanned: number
  /** Items that were given the keys of their indexes. */
  readonly written: number
  /** Items that somebody else wrote, or moved, at that moment. A second run finds none of them wanting. */
  readonly changed: number
  /** Where to go on; `undefined` when all is done. */
  readonly lastKey: Record<string, AttributeValue> | undefined
}

/** An item that is written for its indexes' sake takes a unit in the table and one in an index, at least. */
const WRITE_UNITS = 2

/**
 * Gives the items that were there before the keys of their sharded indexes. Begin when every process that writes to the
 * table has the options, and query the indexes when it is done. It can be run again, and ended, at any time.
 *
 * @param client the client itself, not what `isotherm` returns
 * @throws IsothermError `options.*`; the signal's reason; the SDK's own errors
 * @example await backfillIndexes(client, { table: 'files', options: tables.files, unitsPerSecond: 200 })
 */
export async function backfillIndexes(
  client: { readonly config: object; readonly middlewareStack: object },
  given: BackfillIndexesOptions,
): Promise<BackfillProgress> {
  const name = 'backfillIndexes'
  const known = ['table', 'options', 'unitsPerSecond', 'startKey', 'signal', 'onProgress', 'clock', 'random']
  refuseUnknown(name, given, known)
  const { startKey, signal, onProgress, clock = new SystemClock(), random = new SystemRandom() } = given
  const physical = client as unknown as PhysicalClient
  const tables = { [requireText(`${name}.table`, given.table, "the table's name")]: given.options }
  const parsed = parseOptions({ tables, clock, random }, { ...partsOf([indexes]), calculated })
  const [options] = parsed.tables
  if (options === undefined) throw invalidOption(`${name}.options`, given.options, "the table's options")
  const table = new IndexedTable(new TableRuntime(options, physical, parsed, new AbortController().signal))
  const unitsPerSecond = requireDrainRate(`${name}.unitsPerSecond`, given.unitsPerSecond ?? 100)
  const paced = pacedSender({ client: physical, clock, random, unitsPerSecond, signal })
  let progress: BackfillProgress = { scanned: 0, written: 0, changed: 0, lastKey: startKey }
  const pages = pacedScan(paced, signal, { ...projectionOf(table), ExclusiveStartKey: startKey })
  for await (const { Items = [], LastEvaluatedKey } of pages) {
    for (const item of Items) {
      const update = missingShadowKeys(table, item)
      const isWritten = update !== undefined && (await isAccepted(paced.sender.send(update, WRITE_UNITS)))
      progress = {
        scanned: progress.scanned + 1,
        written: progress.written + (isWritten ? 1 : 0),
        changed: progress.changed + (update !== undefined && !isWritten ? 1 : 0),
        lastKey: progress.lastKey,
      }
    }
    progress = { ...progress, lastKey: LastEvaluatedKey }
    onProgress?.(progress)
  }
  return progress
}

/** What is needed of each item. */
function projectionOf({ runtime, keys, shadows }: IndexedTable) {
  const attributes = new Set([
    ...keys,
    ...shadows.flatMap(({ index }) => [index.partitionKey, index.shard.attribute]),
  ])
  const names = Object.fromEntries(Array.from(attributes, (name, position) => [`#a${position}`, name]))
  return {
    TableName: runtime.options.name,
    ConsistentRead: true,
    ProjectionExpression: Object.keys(names).join(', '),
    ExpressionAttributeNames: names,
  }
}

async function isAccepted(write: Promise<unknown>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false
    throw error
  }
}
