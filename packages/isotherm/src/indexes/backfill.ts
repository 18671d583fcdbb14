import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { answerOf, type Outcome } from '../attempts/outcome.js'
import { type PacedWork, pacedSender } from '../attempts/paced-sender.js'
import { pagesOf } from '../attempts/pages-of.js'
import { isRefusedByCondition } from '../sdk/condition-refusal.js'
import { IndexedTable } from './indexed-table.js'
import { missingShadowKeys } from './missing-shadow-keys.js'
import { ShardChoice } from './shard-choice.js'
import type { TableWithIndexes } from './table-with-indexes.js'

/** The progress of `backfillIndexes`, and its result. */
export interface BackfillProgress {
  /** The number of items read. */
  readonly scanned: number
  /** The number of items that were given shadow keys. */
  readonly written: number
  /**
   * The number of items skipped because another process wrote or moved them at the same time. A second run completes
   * them if necessary.
   */
  readonly changed: number
  /** The position to resume from. `undefined` when the backfill is complete. */
  readonly lastKey: Record<string, AttributeValue> | undefined
}

export interface Backfill extends PacedWork {
  /** The `lastKey` in the progress of a stopped backfill. */
  readonly startKey: Record<string, AttributeValue> | undefined
  readonly onProgress: ((progress: BackfillProgress) => void) | undefined
}

/** Adding shadow keys to an item takes at least one unit on the table and one on an index. */
const WRITE_UNITS = 2

/**
 * Adds or corrects the shadow keys of a table's items.
 * @throws the signal's reason, and the SDK's own errors
 */
export async function backfill(
  tableWithIndexes: TableWithIndexes,
  { startKey, onProgress, ...work }: Backfill,
): Promise<BackfillProgress> {
  const table = new IndexedTable(tableWithIndexes)
  const sender = pacedSender(work)
  let progress: BackfillProgress = { scanned: 0, written: 0, changed: 0, lastKey: startKey }
  const pages = pagesOf(sender, work.signal, { ...projectionOf(table), ExclusiveStartKey: startKey })
  for await (const { Items = [], LastEvaluatedKey } of pages) {
    for (const item of Items) {
      const choice = new ShardChoice('write')
      const update = await choice.settled(() => missingShadowKeys(table, item, choice))
      const isWritten = update !== undefined && isAccepted(await sender.send(update, WRITE_UNITS))
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

/** Projects the attributes that are needed of each item. */
function projectionOf({ options, keys, shadows }: IndexedTable) {
  const attributes = new Set([
    ...keys,
    ...shadows.flatMap(({ index }) => [index.partitionKey, index.shard.attribute]),
  ])
  const names = Object.fromEntries(Array.from(attributes, (name, position) => [`#a${position}`, name]))
  return {
    TableName: options.name,
    ConsistentRead: true,
    ProjectionExpression: Object.keys(names).join(', '),
    ExpressionAttributeNames: names,
  }
}

function isAccepted(outcome: Outcome<unknown>): boolean {
  if (outcome.kind === 'failed' && isRefusedByCondition(outcome.error)) return false
  answerOf(outcome)
  return true
}
