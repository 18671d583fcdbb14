import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { type Clock, type Random, SystemClock, SystemRandom } from '@isotherm/runtime'
import { type BackfillProgress, backfill } from '../indexes/backfill.js'
import { Suffix } from '../keys/suffix.js'
import { invalidOption, refuseUnknown, requireText } from '../options/check.js'
import { requireDrainRate } from '../options/shard-limits.js'
import { placementKindOf } from '../options/sharded-table.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import { calculated } from '../writes/calculated.js'
import { mergedParts } from './merged-parts.js'
import type { IndexedTableOptions, ShardedTableOptions } from './options.js'
import { parseOptions } from './parse-options.js'
import { indexes } from './parts.js'

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
  const parsed = parseOptions({ tables, clock, random }, mergedParts([indexes], { calculated }))
  const [options] = parsed.tables
  if (options === undefined) throw invalidOption(`${name}.options`, given.options, "the table's options")
  const unitsPerSecond = requireDrainRate(`${name}.unitsPerSecond`, given.unitsPerSecond ?? 100)
  const suffix = new Suffix(options.name, options.delimiter, options.adopt)
  return backfill(
    { options, suffix, placementKind: placementKindOf(options), indexes: options.indexes },
    { client: physical, clock, random, unitsPerSecond, signal, startKey, onProgress },
  )
}
