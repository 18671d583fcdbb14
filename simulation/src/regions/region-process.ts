import { PutItemCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import { requireExpected } from '../workloads/expected-error.js'
import type { Client } from '../workloads/workload.js'
import type { Process } from '../world/process.js'
import { LATEST_MILLISECONDS, MAX_SHARDS, queryOf, TABLE } from './global-table.js'
import type { FoundItem, KnownItems } from './known-items.js'
import type { Region } from './region.js'
import type { Setup } from './setup.js'

/** With a calculated suffix, the process writes so many items of each key again and again. */
const ITEMS = 24

/** Between two writes of a process: of a key that is hot in its region, and of one that is not. */
const WRITE_EVERY_MILLISECONDS = { often: 120, rarely: 1_500 } as const
const READ_EVERY_MILLISECONDS = 700
const CHANGE_EVERY_MILLISECONDS = 5_000

export interface RegionProcessOptions {
  readonly process: Process
  readonly region: Region
  /** Its number among the processes of its region. Another process may take its place, and then writes its items. */
  readonly slot: number
  readonly db: Client
  readonly setup: Setup
  readonly onFailed: (error: unknown) => void
}

/** What a process does with one key. */
export interface KeyLoad {
  readonly writes: 'often' | 'rarely' | 'never'
  readonly isLoading: () => boolean
}

type Attributes = Readonly<Record<string, { readonly S?: string; readonly N?: string }>>

/** A process of an application in one region of a global table. */
export class RegionProcess {
  readonly region: Region
  readonly slot: number
  readonly process: Process
  readonly #options: RegionProcessOptions

  constructor(options: RegionProcessOptions) {
    const { process, region, slot } = options
    this.region = region
    this.slot = slot
    this.process = process
    this.#options = options
  }

  /** Writes and reads the items of a key, and changes its count, while the load lasts. */
  begin(items: KnownItems, { writes, isLoading }: KeyLoad): void {
    const { setup, region } = this.#options
    const repeat = (milliseconds: number, work: (count: number) => Promise<void>) =>
      this.#repeat(milliseconds, isLoading, work)
    if (writes !== 'never') {
      repeat(WRITE_EVERY_MILLISECONDS[writes], (count) => this.#write(items, count))
      repeat(CHANGE_EVERY_MILLISECONDS, () => this.#change(items.key))
    }
    repeat(READ_EVERY_MILLISECONDS, async () => {
      const demand = items.demand(region.name)
      const found = await this.read(items.key)
      // A region that only reads a key finds what has been replicated. Where moves are on their way, so does each of them.
      if (found !== undefined && writes !== 'never' && !setup.lateRequestsCoverLag)
        items.check(found, demand, this.process.name)
    })
  }

  /** @returns `undefined` if a page failed, as any may */
  async read(key: string): Promise<readonly FoundItem[] | undefined> {
    const found: FoundItem[] = []
    let start: QueryCommandOutput['LastEvaluatedKey']
    do {
      const from = start
      const page = await this.#sent((db) => db.send(queryOf(key, from)))
      if (page === undefined) return undefined
      for (const { sk, value } of (page.Items ?? []) as readonly Attributes[]) {
        found.push({ sort: sk?.S ?? '', value: Number(value?.N) })
      }
      start = page.LastEvaluatedKey
    } while (start !== undefined)
    return found
  }

  async #write(items: KnownItems, count: number): Promise<void> {
    const { process, region, slot, setup } = this.#options
    const isRandom = setup.suffix === 'random'
    const sort = isRandom ? `${process.name}/${count}` : `${region.name}/${slot}/${count % ITEMS}`
    const value = items.begun(sort, region.name)
    const Item = { pk: { S: items.key }, sk: { S: sort }, value: { N: String(value) } }
    const answer = await this.#sent((db) => db.send(new PutItemCommand({ TableName: TABLE, Item })))
    if (answer !== undefined) items.acknowledged(sort, value)
    // No item is written again while an earlier attempt may still arrive.
    if (!isRandom) await process.clock.sleep(LATEST_MILLISECONDS / ITEMS)
  }

  /** Sets another count, where counts may fall, or a higher one, where they conflict. Elsewhere throttles raise them. */
  async #change(key: string): Promise<void> {
    const { isFixed, shrinks, shardMaps } = this.#options.setup
    if (isFixed || (!shrinks && shardMaps === 1)) return
    const shards = randomInteger(this.process.random, 1, MAX_SHARDS)
    const known = await this.#sent((db) => db.shards(TABLE, key).read())
    if (!shrinks && shards <= (known?.shards ?? 1)) return
    await this.#sent((db) => db.shards(TABLE, key).set(shards))
  }

  /** @returns `undefined` after an error that an application has to expect */
  async #sent<Output>(send: (db: Client) => Promise<Output>): Promise<Output | undefined> {
    try {
      return await send(this.#options.db)
    } catch (error) {
      const isChanging = error instanceof Error && 'code' in error && error.code === 'shards.changing'
      if (!isChanging) requireExpected(error)
      return undefined
    }
  }

  #repeat(milliseconds: number, isLoading: () => boolean, work: (count: number) => Promise<void>): void {
    const { clock, random } = this.process
    const go = async () => {
      for (let count = 0; isLoading(); count++) {
        await clock.sleep(-Math.log(1 - random.next()) * milliseconds)
        if (isLoading()) await work(count)
      }
    }
    go().catch(this.#options.onFailed)
  }
}
