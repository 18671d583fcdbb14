import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { type Random, randomInteger } from '@isotherm/runtime'
import type { Large, LargeOptions, PatternClient, PlainItem } from 'isotherm/large'
import { type HistoryCounts, historyCounts, ItemHistory } from '../invariants/item-history.js'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { PlainTable, WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { atRate } from './at-rate.js'
import { requireExpected } from './expected-error.js'
import { type FollowedItem, FollowedRequests } from './followed-requests.js'
import { alone } from './item-groups.js'
import { type Attributes, DONE, REFUSED, type SentOperation, type Target } from './item-operations.js'
import { untilAnswered } from './until-answered.js'
import type { Client, Workload } from './workload.js'

export interface LargeItemsOptions {
  readonly table: WorkloadTable
  /** The function of the library, which may have a planted bug. */
  readonly large: (db: PatternClient, options: LargeOptions) => Large
  readonly operationsPerSecond: number
  readonly processes: number
  readonly documents: number
  readonly compression: 'gzip' | 'none'
  /** How long after it was sent a request may still be carried out. */
  readonly latestMilliseconds: number
  /** Whether nothing lasts longer than the time for a put: then no piece may be left over. */
  readonly isTimely: boolean
}

/** Documents are spread over so many keys. */
export const FOLDERS = 2

const CHUNKS = 'documents_chunks'
const EXISTING = 'v0'

/** How often each process collects, in the middle of the puts of others. */
const COLLECT_MILLISECONDS = 4_000
/** Short, so that slow puts are overtaken by collections. */
const LEAST_WRITE_MILLISECONDS = 3_000
/** Collections at the end, each as much later as a put may take. */
const LAST_COLLECTIONS = 3

/**
 * Documents of several pieces that everybody puts, reads and deletes, while others collect: each must behave as if one operation came after
 * the other, and what is read must be of one put. In the end there are the pieces of the documents, and no others.
 */
export class LargeItems implements Workload {
  readonly name = 'large'
  readonly tables: readonly WorkloadTable[]
  readonly plainTables: readonly PlainTable[] = [{ name: CHUNKS, partitionKey: 'name', sortKey: 'part' }]
  readonly #world: World
  readonly #options: LargeItemsOptions
  readonly #items: readonly FollowedItem[]
  readonly #requests: FollowedRequests<FollowedItem>
  #values = 0

  constructor(world: World, options: LargeItemsOptions) {
    this.#world = world
    this.#options = options
    this.tables = [options.table]
    this.#requests = new FollowedRequests(world, options.latestMilliseconds)
    const { name, partitionKey, sortKey } = options.table
    this.#items = Array.from({ length: options.documents }, (_, index) => {
      const [folder, file] = [`folder${index % FOLDERS}`, `file${index}`]
      const key = { [partitionKey]: { S: folder }, [sortKey]: { S: file } }
      return { target: { table: name, key }, history: new ItemHistory([folder, file]) }
    })
  }

  histories(): HistoryCounts {
    return historyCounts(this.#items.map(({ history }) => history))
  }

  /** As an application stored them before it used the module. */
  existing(): readonly Attributes[] {
    return this.#items.map(({ target, history }) => {
      const operation = put('before', target, EXISTING, undefined as never, false)
      history.called(operation)
      history.answered(operation, DONE)
      return { ...target.key, val: { S: EXISTING }, body: { S: bodyOf(EXISTING) } }
    })
  }

  begin(process: Process, db: Client): void {
    const documents = this.#documents(process, db)
    const { operationsPerSecond, processes } = this.#options
    atRate(
      this.#world,
      process,
      () => operationsPerSecond / processes,
      () => this.#operate(process, db, documents),
    )
    atRate(
      this.#world,
      process,
      () => 1_000 / COLLECT_MILLISECONDS / processes,
      () => this.#collect(documents),
    )
  }

  async touch(process: Process, db: Client): Promise<void> {
    const documents = this.#documents(process, db)
    for (const { target } of this.#items) await untilAnswered(process, () => read(documents, target, true))
  }

  neighbours(): readonly string[] {
    return []
  }

  async conclude(process: Process, db: Client): Promise<void> {
    const documents = this.#documents(process, db)
    for (let times = 0; times < LAST_COLLECTIONS; times++) {
      await process.clock.sleep(this.#restMilliseconds)
      await untilAnswered(process, () => documents.collect())
    }
    let pieces = 0
    for (const { target, history } of this.#items) {
      const operation = get(`${process.name} at the end`, target, documents)
      history.called(operation)
      const answer = await untilAnswered(process, () => operation.send(db))
      history.answered(operation, answer)
      const value = answer.slice('is '.length)
      if (isPieced(value)) pieces += Math.ceil(bodyOf(value).length / PIECE_BYTES)
    }
    if (!this.#options.isTimely || this.#options.compression !== 'none') return
    const found = await this.#chunks(process, db)
    if (found.length === pieces) return
    const seen = `${found.length} chunks are left, and ${pieces} belong to documents: ${found.join(' ')}`
    throw new Violation('collected pieces are gone', seen)
  }

  async #operate(process: Process, db: Client, documents: Large): Promise<void> {
    const item = this.#items[randomInteger(process.random, 0, this.#items.length - 1)]
    if (item === undefined) throw new Error('There is a document at least.')
    const draw = process.random.next()
    if (draw < 0.15) {
      // An answer that may be out of date has to be of one put all the same.
      await read(documents, item.target, false).catch(requireExpected)
      return
    }
    await this.#requests.send(process, db, alone(item, this.#drawn(process, item, documents, draw)))
  }

  #drawn({ name, random }: Process, { target }: FollowedItem, documents: Large, draw: number): SentOperation {
    if (draw < 0.45) return get(name, target, documents)
    if (draw < 0.55) return remove(name, target, documents)
    this.#values += 1
    const value = `${random.next() < 0.75 ? 'L' : 's'}${this.#values}`
    return put(name, target, value, documents, draw > 0.9)
  }

  async #collect(documents: Large): Promise<void> {
    await documents.collect().catch(requireExpected)
  }

  async #chunks(process: Process, db: DynamoDBClient): Promise<readonly string[]> {
    const names: string[] = []
    let cursor: Attributes | undefined
    do {
      const input = { TableName: CHUNKS, ConsistentRead: true, ExclusiveStartKey: cursor }
      const page = await untilAnswered(process, () => db.send(new ScanCommand(input)))
      names.push(...(page.Items ?? []).map(({ name, state }) => `${name?.S} ${state?.S ?? ''}`))
      cursor = page.LastEvaluatedKey
    } while (cursor !== undefined)
    return names
  }

  get sleepsInConclusionMilliseconds(): number {
    return LAST_COLLECTIONS * this.#restMilliseconds
  }

  /** Until a later collection may remove what this one found. */
  get #restMilliseconds(): number {
    return 2 * this.#writeMilliseconds + this.#world.furthestAhead + 1_000
  }

  get #writeMilliseconds(): number {
    return LEAST_WRITE_MILLISECONDS + (this.#options.isTimely ? this.#options.latestMilliseconds : 0)
  }

  #documents({ clock, random }: Process, db: Client): Large {
    const { table, large, compression } = this.#options
    return large(db, {
      table: table.name,
      partitionKey: table.partitionKey,
      sortKey: table.sortKey,
      chunkTable: CHUNKS,
      compression,
      maxInlineBytes: 8_192,
      minAttributeBytes: 2_049,
      pieceBytes: PIECE_BYTES,
      writeWithin: this.#writeMilliseconds,
      concurrency: 2,
      clock,
      random: random satisfies Random,
    })
  }
}

const PIECE_BYTES = 3_500
const LARGE_BYTES = 9_000

/** Values that begin with L are in pieces. */
function isPieced(value: string): boolean {
  return value.startsWith('L')
}

/** Of each value another one, so that a mix of two shows. */
function bodyOf(value: string): string {
  const bytes = isPieced(value) ? LARGE_BYTES : 100
  return `${value} `.repeat(Math.ceil(bytes / (value.length + 1))).slice(0, bytes)
}

function plainKey({ key }: Target): PlainItem {
  return Object.fromEntries(Object.entries(key).map(([name, value]) => [name, value.S ?? '']))
}

async function read(documents: Large, target: Target, consistent: boolean): Promise<string> {
  const item = await documents.get(plainKey(target), { consistent })
  if (item === undefined) return 'is '
  const { val, body } = item
  if (typeof val === 'string' && body === bodyOf(val)) return `is ${val}`
  const seen = `the value ${val} and the body ${String(body).slice(0, 20)}`
  throw new Violation('a document is of one put', seen, Object.values(plainKey(target)).map(String))
}

function get(name: string, target: Target, documents: Large): SentOperation {
  return {
    text: `${name} reads`,
    apply: (state) => ({ state, answer: `is ${state}` }),
    leaves: (answer) => answer.slice('is '.length),
    send: () => read(documents, target, true),
  }
}

function put(
  name: string,
  target: Target,
  value: string,
  documents: Large,
  isCreation: boolean,
): SentOperation {
  const condition = isCreation ? { condition: { expression: 'attribute_not_exists(val)' } } : {}
  return {
    text: `${name} ${isCreation ? 'creates' : 'puts'} ${value}`,
    apply: (state) =>
      isCreation && state !== '' ? { state, answer: REFUSED } : { state: value, answer: DONE },
    ...(isCreation ? {} : { leaves: () => value }),
    send: async () => {
      try {
        await documents.put({ ...plainKey(target), val: value, body: bodyOf(value) }, condition)
        return DONE
      } catch (error) {
        if (isCreation && error instanceof Error && error.name === 'ConditionalCheckFailedException')
          return REFUSED
        throw error
      }
    },
  }
}

function remove(name: string, target: Target, documents: Large): SentOperation {
  return {
    text: `${name} deletes`,
    apply: () => ({ state: '', answer: DONE }),
    leaves: () => '',
    send: async () => {
      await documents.delete(plainKey(target))
      return DONE
    },
  }
}
