import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import { KnownState, type KnownWrite } from '../invariants/known-state.js'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { atRate } from './at-rate.js'
import { everyItem, everyItemOf } from './every-item.js'
import { mayHaveBeenDone, requireExpected } from './expected-error.js'
import { untilIndexAgrees } from './index-agreement.js'
import {
  drawnWrite,
  type IndexedState,
  type IndexedWrite,
  isBatchable,
  STATUSES,
  sendWrites,
} from './indexed-writes.js'
import type { Attributes } from './item-operations.js'
import type { Client, Workload } from './workload.js'

export interface IndexedItemsOptions {
  /** With the index by status, in the order of the times of change. */
  readonly table: WorkloadTable
  readonly writesPerSecond: number
  readonly readsPerSecond: number
  readonly processes: number
  readonly folders: number
  readonly filesPerFolder: number
  readonly latestMilliseconds: number
  /** How far the index may be behind, at most. */
  readonly staleMilliseconds: number
  /** Whether items stay where they are in the table: one that moves leaves the index and comes back. */
  readonly isFixed: boolean
  /** Between two changes of the count of a status by hand, of all processes together; infinite for none. */
  readonly countMilliseconds: number
}

interface IndexedItem {
  readonly key: Attributes
  readonly name: string
  readonly known: KnownState<IndexedState>
}

export const STATUS_INDEX = 'by_status'

/** When items were changed that are there before the load. */
const EXISTING_AT = 1

/** Each makes every later query of its status longer. */
const MOST_SHARDS_BY_HAND = 8

/** Items in one batch or transaction, at most. */
const MAX_TOGETHER = 5

/**
 * Items whose attribute is the key of a sharded index, written in every way there is, while the counts of the table's own
 * keys change. Queries of the index go page by page through items with equal sort keys.
 */
export class IndexedItems implements Workload {
  readonly name = 'indexed items'
  readonly tables: readonly WorkloadTable[]
  readonly #world: World
  readonly #options: IndexedItemsOptions
  readonly #items: readonly IndexedItem[]

  constructor(world: World, options: IndexedItemsOptions) {
    this.#world = world
    this.#options = options
    this.tables = [options.table]
    const { folders, filesPerFolder, latestMilliseconds } = options
    this.#items = Array.from({ length: folders * filesPerFolder }, (_, index) => {
      const key = {
        folder: { S: `folder${index % folders}` },
        file: { S: `file${Math.floor(index / folders)}` },
      }
      const nothing: IndexedState = { status: undefined, at: undefined }
      return { key, name: nameOf(key), known: new KnownState(world, latestMilliseconds, nothing) }
    })
  }

  /** Without the attribute that the index is by: of those that have it, the index has none before they are written again. */
  existing(): readonly Attributes[] {
    return this.#items.map(({ key, known }) => {
      known.answered(known.begun(), { status: undefined, at: EXISTING_AT })
      return { ...key, changed_at: { N: String(EXISTING_AT) } }
    })
  }

  begin(process: Process, db: Client): void {
    const { writesPerSecond, readsPerSecond, processes } = this.#options
    atRate(
      this.#world,
      process,
      () => writesPerSecond / processes,
      () => this.#write(process, db),
    )
    atRate(
      this.#world,
      process,
      () => readsPerSecond / processes,
      () => this.#read(process, db),
    )
    if (!Number.isFinite(this.#options.countMilliseconds)) return
    atRate(
      this.#world,
      process,
      () => 1_000 / this.#options.countMilliseconds / processes,
      () => this.#changeCount(process, db),
    )
  }

  /** Somebody gives a status more shards or fewer. Whatever is in the others is still found. */
  async #changeCount({ random }: Process, db: Client): Promise<void> {
    const status = STATUSES[randomInteger(random, 0, STATUSES.length - 1)] ?? 'open'
    const shards = randomInteger(random, 1, MOST_SHARDS_BY_HAND)
    try {
      await db.shards(this.#options.table.name, status, { index: STATUS_INDEX }).set(shards)
    } catch (error) {
      const isOvertaken = error instanceof Error && 'code' in error && error.code === 'shards.changing'
      if (!isOvertaken) requireExpected(error)
    }
  }

  async touch(process: Process, db: Client): Promise<void> {
    await this.#stored(process, db)
  }

  neighbours(): readonly string[] {
    return []
  }

  async conclude(process: Process, db: Client): Promise<void> {
    for (const status of STATUSES) {
      for (const forward of [true, false]) {
        await untilIndexAgrees(process, {
          index: STATUS_INDEX,
          expected: async () => {
            const stored = await this.#stored(process, db)
            return stored
              .filter((item) => item.status?.S === status && item.changed_at !== undefined)
              .map(entryOf)
          },
          found: async () => (await this.#indexed(process, db, status, forward)).map(entryOf),
        })
      }
    }
  }

  async #write(process: Process, db: DynamoDBClient): Promise<void> {
    const { random } = process
    const together = random.next() < 0.3 ? randomInteger(random, 2, MAX_TOGETHER) : 1
    const isTransaction = random.next() < 0.5 && together > 1
    const drawn = this.#drawn(process, together).map((item) => ({
      item,
      write: drawnWrite(process, item.key),
    }))
    const chosen = drawn.filter(({ write }) => isTransaction || together === 1 || isBatchable(write))
    const begun = new Map<
      IndexedWrite,
      { readonly item: IndexedItem; readonly known: KnownWrite<IndexedState> }
    >(chosen.map(({ item, write }) => [write, { item, known: item.known.begun() }]))
    const forget = () => {
      for (const { item, known } of begun.values()) item.known.unanswered(known)
    }
    process.whenCrashed(forget)
    try {
      const left = await sendWrites(db, this.#options.table.name, [...begun.keys()], isTransaction)
      for (const [write, { item, known }] of begun) {
        item.known.answered(known, left.includes(write) ? known.before : write.after(known.before))
      }
    } catch (error) {
      if (mayHaveBeenDone(error, this.#world)) forget()
      else for (const { item, known } of begun.values()) item.known.answered(known, known.before)
    } finally {
      process.notWhenCrashed(forget)
    }
  }

  /** What nobody has touched for long enough is there, once, where it belongs; and everything is in order. */
  async #read(process: Process, db: DynamoDBClient): Promise<void> {
    const { isFixed, staleMilliseconds } = this.#options
    const status = STATUSES[randomInteger(process.random, 0, STATUSES.length - 1)] ?? 'open'
    const before = new Map(this.#items.map((item) => [item, item.known.sure]))
    const from = this.#world.now
    const found = await this.#indexed(process, db, status, process.random.next() < 0.5)
    if (!isFixed) return
    for (const [{ name, known }, sure] of before) {
      if (sure === undefined || sure.since > from - staleMilliseconds || known.sure?.since !== sure.since)
        continue
      const isThere = sure.state.status === status && sure.state.at !== undefined
      const times = found.filter((each) => nameOf(each) === name).length
      if (times === (isThere ? 1 : 0)) continue
      const seen = `${process.name} found ${name} ${times} times under ${status}, and it is ${sure.state.status} since ${Math.round(from - sure.since)} ms`
      throw new Violation('an index has what its table has', seen, name.split(' '))
    }
  }

  /** @throws Violation where the answer is out of order, or has something that was not asked for */
  async #indexed(process: Process, db: DynamoDBClient, status: string, forward: boolean) {
    const { random } = process
    const found = await everyItem(process, db, {
      TableName: this.#options.table.name,
      IndexName: STATUS_INDEX,
      KeyConditionExpression: '#status = :status',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':status': { S: status } },
      ScanIndexForward: forward,
      Limit: random.next() < 0.7 ? randomInteger(random, 1, 10) : undefined,
    })
    let last: number | undefined
    for (const item of found) {
      const at = Number(item.changed_at?.N)
      const about = nameOf(item).split(' ')
      const added = Object.keys(item).find((name) => name.startsWith('isotherm'))
      if (item.status?.S !== status || added !== undefined) {
        const seen = `${process.name} asked for ${status} and was given ${about.join(' ')} with ${item.status?.S} ${added}`
        throw new Violation('only what was asked for is read', seen, about)
      }
      if (last !== undefined && (forward ? at < last : at > last)) {
        throw new Violation(
          'items come in order',
          `${process.name} read ${at} after ${last} of ${status}`,
          about,
        )
      }
      last = at
    }
    return found
  }

  async #stored(process: Process, db: DynamoDBClient): Promise<readonly Attributes[]> {
    const { table, folders } = this.#options
    const read = (_: unknown, index: number) =>
      everyItemOf(process, db, {
        table: table.name,
        partitionKey: table.partitionKey,
        key: `folder${index}`,
      })
    return (await Promise.all(Array.from({ length: folders }, read))).flat()
  }

  #drawn({ random }: Process, count: number): readonly IndexedItem[] {
    const first = randomInteger(random, 0, this.#items.length - 1)
    const length = Math.min(count, this.#items.length)
    return Array.from(
      { length },
      (_, index) => this.#items[(first + index) % this.#items.length] ?? [],
    ).flat()
  }
}

function nameOf({ folder, file }: Attributes): string {
  return `${folder?.S} ${file?.S}`
}

function entryOf(item: Attributes): string {
  return `${nameOf(item)} ${item.changed_at?.N}`
}
