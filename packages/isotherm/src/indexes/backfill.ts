import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { MoveSender } from '../attempts/move-sender.js'
import { answerOf, type Outcome } from '../attempts/outcome.js'
import { type PacedWork, pacedSender } from '../attempts/paced-sender.js'
import { pagesOf } from '../attempts/pages-of.js'
import { keyText, type LogicalKey, type SuffixableKey } from '../keys/key.js'
import { readableShards, type ShardState, sourceShards } from '../protocol/index.js'
import { hasSamePlaces, type MovedKey, MovedKeys } from '../scans/moved-keys.js'
import { isRefusedByCondition } from '../sdk/condition-refusal.js'
import { IndexedTable } from './indexed-table.js'
import { missingShadowKeys } from './missing-shadow-keys.js'
import { ShardChoice } from './shard-choice.js'
import type { TableWithIndexes } from './table-with-indexes.js'

/** The progress of `backfillIndexes`, and its result. */
export interface BackfillProgress {
  /** The number of items that the scan has read. */
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
  /** A key of the type that the table's keys have, if items of the table may be moved. */
  readonly like: LogicalKey | undefined
}

type StoredItem = Record<string, AttributeValue>

/** Adding shadow keys to an item takes at least one unit on the table and one on an index. */
const WRITE_UNITS = 2

/** How often the items of a key that is being moved are looked at, until none of them is on its way. */
const MAX_TRIES = 20
const TRY_MILLISECONDS = 1_000

/**
 * Adds or corrects the shadow keys of a table's items.
 * @throws IsothermError `counts.migrating`; the signal's reason, and the SDK's own errors
 */
export function backfill(table: TableWithIndexes, work: Backfill): Promise<BackfillProgress> {
  return new Backfilling(new IndexedTable(table), work).run()
}

class Backfilling {
  readonly #table: IndexedTable
  readonly #work: Backfill
  readonly #sender: MoveSender
  #scanned = 0
  #written = 0
  /** The items that were skipped, by their logical key. */
  readonly #skipped = new Map<string, number>()

  constructor(table: IndexedTable, work: Backfill) {
    this.#table = table
    this.#work = work
    this.#sender = pacedSender(work)
  }

  async run(): Promise<BackfillProgress> {
    const { like, startKey, onProgress, signal } = this.#work
    const { options } = this.#table
    const counts = { options, sender: this.#sender, ...this.#work }
    const moved = like && (await MovedKeys.from({ ...counts, like }, startKey !== undefined))
    const scan = { ...projectionOf(this.#table), ExclusiveStartKey: startKey }
    for await (const { Items = [], LastEvaluatedKey } of pagesOf(this.#sender, signal, scan)) {
      for (const item of Items) {
        const key = this.#logicalKeyOf(item)
        if (!(await this.#complete(item))) this.#skipped.set(key, (this.#skipped.get(key) ?? 0) + 1)
        this.#scanned += 1
      }
      if (LastEvaluatedKey !== undefined) onProgress?.(this.#progress(LastEvaluatedKey))
    }
    if (moved !== undefined) {
      for await (const each of moved.found()) {
        this.#skipped.set(keyText(each.key), await this.#completeMoved(moved, each))
      }
    }
    // Without a position, a caller takes the backfill for complete. So the last page is reported after the second look.
    const progress = this.#progress(undefined)
    onProgress?.(progress)
    return progress
  }

  #progress(lastKey: StoredItem | undefined): BackfillProgress {
    const changed = Array.from(this.#skipped.values()).reduce((sum, items) => sum + items, 0)
    return { scanned: this.#scanned, written: this.#written, changed, lastKey }
  }

  /**
   * Completes the items of a key that the scan may have missed, because they have left a shard that it had not read for one that it had.
   * Items leave the shards that are read first, so none is missed here while the change of the key stays the same. A marked item
   * is moved as it was when it was marked, so it is looked at again after its move.
   *
   * @returns the items that were skipped, at least one if the key changed in another way until the last try
   */
  async #completeMoved(moved: MovedKeys, { key, state }: MovedKey): Promise<number> {
    const { clock, signal } = this.#work
    let before = state
    for (let tried = 1; ; tried++) {
      let skipped = 0
      for await (const items of this.#itemsOf(key, before)) {
        for (const item of items) if (!(await this.#complete(item))) skipped += 1
      }
      const now = (await moved.stateOf(key)) ?? before
      if (skipped === 0 && hasSamePlaces(before, now)) return 0
      if (tried === MAX_TRIES) return Math.max(1, skipped)
      before = now
      await clock.sleep(TRY_MILLISECONDS, signal)
    }
  }

  /** The pages of a key's shards: first those that items leave. */
  async *#itemsOf(key: LogicalKey, state: ShardState): AsyncGenerator<readonly StoredItem[]> {
    const { options, runtime } = this.#table
    const all = Array.from({ length: readableShards(state) }, (_, index) => index + 1)
    const { ExpressionAttributeNames, ...input } = projectionOf(this.#table)
    for (const shard of new Set([...sourceShards(state), ...all])) {
      if (!runtime.suffix.hasRoom(key, shard)) continue
      let ExclusiveStartKey: StoredItem | undefined
      do {
        this.#work.signal?.throwIfAborted()
        const page = await this.#sender.queryPage({
          ...input,
          KeyConditionExpression: '#key = :key',
          ExpressionAttributeNames: { ...ExpressionAttributeNames, '#key': options.partitionKey },
          ExpressionAttributeValues: { ':key': { ...runtime.suffix.add(key, shard) } },
          ExclusiveStartKey,
        })
        yield page.Items ?? []
        ExclusiveStartKey = page.LastEvaluatedKey
      } while (ExclusiveStartKey !== undefined)
    }
  }

  /** @returns whether the item has its shadow keys now; it has not if something else writes or moves it at the same time */
  async #complete(item: StoredItem): Promise<boolean> {
    const choice = new ShardChoice('write')
    const update = await choice.settled(() => missingShadowKeys(this.#table, item, choice))
    if (update === undefined) return true
    const isAdded = isAccepted(await this.#sender.send(update, WRITE_UNITS))
    if (isAdded) this.#written += 1
    return isAdded
  }

  #logicalKeyOf(item: StoredItem): string {
    const { options, runtime } = this.#table
    const stored = item[options.partitionKey] as SuffixableKey | undefined
    const logical =
      stored && ('S' in stored || 'B' in stored) ? runtime.suffix.strip(stored)?.logical : undefined
    return logical === undefined ? '' : keyText(logical)
  }
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
