import type { AttributeValue, QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import type { MoveSender } from '../attempts/move-sender.js'
import { type PacedWork, pacedSender } from '../attempts/paced-sender.js'
import { pagesOf } from '../attempts/pages-of.js'
import { readItemKey } from '../keys/item-key.js'
import { keyText, type LogicalKey, plainKey } from '../keys/key.js'
import { readKey } from '../keys/read-key.js'
import type { ShardNames } from '../keys/shard-names.js'
import type { ShardedTable } from '../options/sharded-table.js'
import {
  dynamicSettings,
  firstState,
  historyEntry,
  MOVE_ATTRIBUTES,
  type RebuildCheckpoint,
  RebuildMark,
  requireItems,
  requireRebuildable,
  type ShardState,
} from '../protocol/index.js'
import { CountRanges, countRange } from './explained-counts.js'
import { KeyFinding } from './key-finding.js'
import { ShardMapItems } from './shard-map-items.js'

/** An item that no count of its key explains. */
export interface UnexplainedItem {
  /** The partition key of the item, as it is stored. */
  readonly storedKey: string | Uint8Array
  /** The sort key of the item, in the form of the SDK's low-level commands. */
  readonly sortKey: AttributeValue | undefined
}

/** The progress of `rebuildShardMap`. */
export interface RebuildProgress {
  /** `table`: the items of the table are being read. `keys`: the counts of calculated keys are being found. */
  readonly pass: 'table' | 'keys'
  /** The number of items read in this pass. */
  readonly items: number
  /** The number of logical keys found that need an item in the shard map. */
  readonly keys: number
}

/** The result of `rebuildShardMap`. */
export interface RebuildReport {
  readonly table: string
  readonly shardMap: string
  /** Whether the shard map can be used. `false` for a dry run, and if there are unexplained items. */
  readonly isRebuilt: boolean
  /** The number of items read, since the rebuild was begun or resumed. */
  readonly items: number
  /** The number of logical keys with a count of their own, of which `unfinished` are in a change of the count. */
  readonly keys: number
  readonly unfinished: number
  /** The number of values of sharded indexes with a count of their own. */
  readonly indexValues: number
  /** The highest count of any key. */
  readonly highestCount: number
  /** The number of items that no count of their key explains, and the first of them, up to 20. */
  readonly unexplained: number
  readonly examples: readonly UnexplainedItem[]
}

/** A value of an index with dynamic counts, as an item of the table has it. */
export interface IndexedValue {
  readonly key: LogicalKey
  readonly shard: number
  readonly initial: number
}

export interface RebuiltTable {
  readonly options: ShardedTable
  readonly suffix: ShardNames
  readonly initial: number
  /** A key of the type that the table's keys have. */
  readonly like: LogicalKey
  /** The attributes in which indexes with dynamic counts have their shards, and the index's own. */
  readonly indexAttributes: readonly string[]
  readonly indexedValues: (item: Readonly<Record<string, AttributeValue>>) => readonly IndexedValue[]
}

export interface Rebuild extends PacedWork {
  readonly isDryRun: boolean
  readonly onProgress: ((progress: RebuildProgress) => void) | undefined
}

type Item = Readonly<Record<string, AttributeValue>>

const MAX_EXAMPLES = 20
/** The pages of the table between two checkpoints. */
const CHECKPOINT_PAGES = 10

/**
 * Rebuilds the shard map of a table from its items.
 *
 * 1. A mark takes the place of the card. Processes refuse to go by the shard map from then on.
 * 2. After `cacheTtl` and `lateRequests`, no process goes by what it has read before.
 * 3. A pass over the table finds the keys with items above the initial count, or not at their place.
 * 4. With a calculated suffix, a pass over the shards of these keys finds the counts that explain where the items are.
 * 5. The card takes the place of the mark.
 */
export async function rebuild(table: RebuiltTable, work: Rebuild): Promise<RebuildReport> {
  return new Rebuilding(table, work).run()
}

class Rebuilding {
  readonly #table: RebuiltTable
  readonly #work: Rebuild
  readonly #sender: MoveSender
  readonly #items: ShardMapItems
  readonly #findings = new Map<string, KeyFinding>()
  readonly #indexFindings = new Map<string, { readonly finding: KeyFinding; readonly initial: number }>()
  readonly #examples: UnexplainedItem[] = []
  #isResumed = false
  #scanned = 0
  #unexplained = 0
  #unfinished = 0
  #highest: number

  constructor(table: RebuiltTable, work: Rebuild) {
    this.#table = table
    this.#work = work
    this.#sender = pacedSender(work)
    this.#items = new ShardMapItems(table, this.#sender, work.signal)
    this.#highest = table.initial
  }

  async run(): Promise<RebuildReport> {
    const { options, initial, like } = this.#table
    const { isDryRun, client, clock, random, signal } = this.#work
    if (isDryRun) {
      await requireRebuildable({ options, client }, like, dynamicSettings(options, initial))
      await this.#readTable(undefined, undefined)
      await this.#explainKeys(undefined)
      return this.#report([...this.#findings.values()].length, false)
    }
    const mark = await RebuildMark.put(
      { options, client, clock, random },
      like,
      dynamicSettings(options, initial),
    )
    const from = mark.checkpoint
    this.#isResumed = from !== undefined
    if (from === undefined) {
      await clock.sleep(options.cacheMilliseconds + options.lateRequestMilliseconds, signal)
      for await (const key of this.#items.keys()) await this.#items.remove(key)
      await mark.save({ pass: 'table' })
    }
    if (from?.pass !== 'keys') await this.#readTable(from, mark)
    await mark.save({ pass: 'keys' })
    await this.#explainKeys(mark)
    const keys: LogicalKey[] = []
    for await (const key of this.#items.keys()) keys.push(key)
    if (this.#unexplained > 0) return this.#report(keys.length, false)
    await this.#verify()
    await mark.replaceByCard(keys)
    return this.#report(keys.length, true)
  }

  /** The pass over the whole table. */
  async #readTable(from: RebuildCheckpoint | undefined, mark: RebuildMark | undefined): Promise<void> {
    const { options, indexAttributes } = this.#table
    const { partitionKey, sortKey, name } = options
    const attributes = [
      partitionKey,
      ...(sortKey === undefined ? [] : [sortKey]),
      MOVE_ATTRIBUTES.moving,
      ...indexAttributes,
    ]
    const names = Object.fromEntries([...new Set(attributes)].map((attribute, at) => [`#a${at}`, attribute]))
    const pages = pagesOf(this.#sender, this.#work.signal, {
      TableName: name,
      ConsistentRead: true,
      ProjectionExpression: Object.keys(names).join(', '),
      ExpressionAttributeNames: names,
      ExclusiveStartKey: from?.lastKey,
    })
    let pageCount = 0
    for await (const { Items = [], LastEvaluatedKey } of pages) {
      const changed = new Set<KeyFinding>()
      for (const item of Items) await this.#add(item, changed)
      this.#scanned += Items.length
      const epochSeconds = Math.floor(this.#work.clock.now() / 1_000)
      if (mark !== undefined) {
        for (const finding of changed) await this.#write(finding, epochSeconds)
        pageCount += 1
        if (pageCount % CHECKPOINT_PAGES === 0 && LastEvaluatedKey !== undefined) {
          await mark.save({ pass: 'table', lastKey: LastEvaluatedKey })
        }
      }
      this.#progress('table', this.#scanned)
    }
  }

  async #write(finding: KeyFinding, epochSeconds: number): Promise<void> {
    const { key } = finding
    const index = this.#indexFindings.get(keyText(key))
    if (index?.finding === finding) {
      await this.#items.raise(key, finding.state(index.initial, epochSeconds))
    } else await this.#items.put(key, finding.state(this.#table.initial, epochSeconds))
  }

  /** @param changed gets the findings that say more than before */
  async #add(item: Item, changed: Set<KeyFinding>): Promise<void> {
    const { options, suffix, initial, indexedValues } = this.#table
    const { name, partitionKey } = options
    for (const { key, shard, initial: ofIndex } of indexedValues(item)) {
      if (shard <= ofIndex && !this.#indexFindings.has(keyText(key))) continue
      // Processes go by the counts of indexes meanwhile, because no card is about them.
      const { finding } = this.#indexFindings.get(keyText(key)) ?? {
        finding: new KeyFinding(key, this.#work.isDryRun ? undefined : await this.#items.read(key)),
      }
      this.#indexFindings.set(keyText(key), { finding, initial: ofIndex })
      if (finding.add(shard, false)) changed.add(finding)
    }
    const stripped = suffix.strip(readKey(name, partitionKey, item[partitionKey]))
    if (stripped === undefined || !suffix.accepts(stripped.logical)) return this.#unexplain(item)
    const { logical, shard } = stripped
    const isMarked = item[MOVE_ATTRIBUTES.moving] !== undefined
    const text = keyText(logical)
    let finding = this.#findings.get(text)
    if (finding === undefined) {
      const place = this.#placeOf(item, logical)?.(initial) ?? shard
      if (shard <= initial && place === shard && !isMarked) return
      finding = await this.#opened(logical)
      this.#findings.set(text, finding)
      changed.add(finding)
    }
    // mark: rebuild-knows-the-highest-shard
    if (finding.add(shard, isMarked)) changed.add(finding)
    this.#highest = Math.max(this.#highest, finding.highest)
  }

  /** A resumed rebuild continues from what it has written before. */
  async #opened(key: LogicalKey): Promise<KeyFinding> {
    return new KeyFinding(key, this.#isResumed ? await this.#items.read(key) : undefined)
  }

  #placeOf(item: Item, logical: LogicalKey): ((shards: number) => number) | undefined {
    const { options } = this.#table
    const { partitionKey, suffix } = options
    const placeOf = typeof suffix === 'string' ? undefined : suffix.placeOf
    if (placeOf === undefined) return undefined
    const key = readItemKey(options, { ...item, [partitionKey]: { ...logical } as AttributeValue })
    return (shards) => placeOf(options, key, shards)
  }

  /** The pass over the shards of the keys that were found. A random key needs none: any shard may hold any of its items. */
  async #explainKeys(mark: RebuildMark | undefined): Promise<void> {
    if (this.#table.options.suffix === 'random') return
    if (mark === undefined) {
      for (const { key, highest } of this.#findings.values()) await this.#explain(key, highest)
      return
    }
    for await (const key of this.#items.keys()) {
      const state = await this.#items.read(key)
      if (state === undefined) continue
      const explained = await this.#explain(key, Math.max(state.shards, new KeyFinding(key, state).highest))
      if (explained === 'initial') await this.#items.remove(key)
      else if (explained !== undefined) await this.#items.put(key, explained)
    }
  }

  /** @returns `undefined` if two counts do not explain where the items of the key are */
  async #explain(key: LogicalKey, highest: number): Promise<ShardState | 'initial' | undefined> {
    const { initial } = this.#table
    const ranges = new CountRanges()
    const targets: number[] = []
    let last: Item | undefined
    let items = 0
    for (let shard = 1; shard <= highest; shard++) {
      for await (const item of this.#itemsOf(key, shard)) {
        items += 1
        last = item
        const place = this.#placeOf(item, key)
        const range = place && countRange(place, shard)
        if (range === undefined) this.#unexplain(item)
        else ranges.add(range)
        const target = Number(item[MOVE_ATTRIBUTES.moving]?.S?.split(':')[0])
        if (target > 0 && place !== undefined) targets.push(target)
      }
      this.#progress('keys', items)
    }
    const explained = ranges.explained(initial)
    const epochSeconds = Math.floor(this.#work.clock.now() / 1_000)
    if (explained.kind === 'unexplained') {
      if (last !== undefined) this.#unexplain(last)
      return undefined
    }
    if (explained.kind === 'settled') {
      return explained.shards === initial ? 'initial' : firstState(explained.shards, epochSeconds)
    }
    this.#unfinished += 1
    const [lower, higher] = explained.counts
    // Marked items are on their way. Without them, the change goes up: then it moves items of few shards.
    const goesDown = targets.length > 0 && Math.max(...targets) <= lower
    const [from, to] = goesDown ? [higher, lower] : [lower, higher]
    const history = [historyEntry(epochSeconds, from), historyEntry(epochSeconds + 1, to)]
    return { phase: 'moved', from, to, shards: to, lastUpdated: epochSeconds + 1, history }
  }

  async *#itemsOf(logical: LogicalKey, shard: number): AsyncGenerator<Item> {
    const { options, suffix } = this.#table
    const { name, partitionKey, sortKey } = options
    const names: Record<string, string> = { '#key': partitionKey, '#moving': MOVE_ATTRIBUTES.moving }
    if (sortKey !== undefined) names['#sort'] = sortKey
    let ExclusiveStartKey: QueryCommandOutput['LastEvaluatedKey']
    do {
      const page: QueryCommandOutput = await this.#sender.queryPage({
        TableName: name,
        KeyConditionExpression: '#key = :key',
        ProjectionExpression: Object.keys(names).join(', '),
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: { ':key': { ...suffix.add(logical, shard) } as AttributeValue },
        ConsistentRead: true,
        ExclusiveStartKey,
      })
      yield* page.Items ?? []
      ExclusiveStartKey = page.LastEvaluatedKey
    } while (ExclusiveStartKey !== undefined)
  }

  /** A last look at a sample of the table, with what was written. */
  async #verify(): Promise<void> {
    const { options, suffix, initial } = this.#table
    const stateOf = (key: LogicalKey) => this.#items.read(key)
    const { client, random } = this.#work
    await requireItems(
      { options, client, random, suffix },
      { shards: 'dynamicShards', count: initial, stateOf },
    )
  }

  #unexplain(item: Item): void {
    const { partitionKey, sortKey, name } = this.#table.options
    this.#unexplained += 1
    if (this.#examples.length >= MAX_EXAMPLES) return
    const storedKey = plainKey(readKey(name, partitionKey, item[partitionKey]) as LogicalKey)
    this.#examples.push({ storedKey, sortKey: sortKey === undefined ? undefined : item[sortKey] })
  }

  #progress(pass: RebuildProgress['pass'], items: number): void {
    this.#work.onProgress?.({ pass, items, keys: this.#findings.size })
  }

  #report(keys: number, isRebuilt: boolean): RebuildReport {
    const { name, shardMap } = this.#table.options
    return {
      table: name,
      shardMap,
      isRebuilt,
      items: this.#scanned,
      keys,
      unfinished: this.#unfinished,
      indexValues: this.#indexFindings.size,
      highestCount: this.#highest,
      unexplained: this.#unexplained,
      examples: this.#examples,
    }
  }
}
