import type { MoveSender } from '../attempts/move-sender.js'
import { type PacedWork, pacedSender } from '../attempts/paced-sender.js'
import { pagesOf } from '../attempts/pages-of.js'
import { keyText, type LogicalKey } from '../keys/key.js'
import { readKey } from '../keys/read-key.js'
import {
  dynamicSettings,
  isUnfinished,
  MOVE_ATTRIBUTES,
  type RebuildCheckpoint,
  RebuildMark,
  readableShards,
  requireItems,
  requireRebuildable,
  type ShardState,
  type StoredItem,
} from '../protocol/index.js'
import { explainKey } from './explain-key.js'
import { itemPlace } from './item-place.js'
import { KeyFinding } from './key-finding.js'
import { numberedFirstShard } from './numbered-first-shard.js'
import type { RebuildProgress, RebuildReport } from './rebuild-report.js'
import type { RebuiltTable } from './rebuilt-table.js'
import { ShardMapItems } from './shard-map-items.js'
import { UnexplainedItems } from './unexplained-items.js'

export interface Rebuild extends PacedWork {
  readonly isDryRun: boolean
  readonly replacesCard: boolean
  readonly onProgress: ((progress: RebuildProgress) => void) | undefined
}

/** The pages of the table between two checkpoints. */
const CHECKPOINT_PAGES = 10

/**
 * Rebuilds the shard map of a table from its items.
 *
 * 1. A mark takes the place of the card. Processes refuse to use the shard map from then on.
 * 2. After `cacheTtl` and `lateRequests`, no process uses what it has read before.
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
  readonly #unexplained: UnexplainedItems
  #isResumed = false
  #scanned = 0
  #unfinished = 0
  #highest: number

  constructor(table: RebuiltTable, work: Rebuild) {
    this.#table = table
    this.#work = work
    this.#sender = pacedSender(work)
    this.#items = new ShardMapItems(table, this.#sender, work.signal)
    this.#unexplained = new UnexplainedItems(table.options)
    this.#highest = table.initial
  }

  async run(): Promise<RebuildReport> {
    const { options, initial, like } = this.#table
    const { isDryRun, replacesCard, client, clock, random, signal } = this.#work
    if (isDryRun) {
      await requireRebuildable({ options, client, replacesCard }, like, dynamicSettings(options, initial))
      await this.#readTable(undefined, undefined)
      await this.#explainKeys(undefined)
      return this.#report([...this.#findings.values()].length, false)
    }
    const mark = await RebuildMark.put(
      { options, client, clock, random, replacesCard },
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
    if (this.#unexplained.count > 0) return this.#report(keys.length, false)
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
  async #add(item: StoredItem, changed: Set<KeyFinding>): Promise<void> {
    const { options, suffix, initial, indexedValues } = this.#table
    const { name, partitionKey } = options
    for (const { key, shard, initial: ofIndex } of indexedValues(item)) {
      if (shard <= ofIndex && !this.#indexFindings.has(keyText(key))) continue
      // Processes use the counts of indexes meanwhile, because no card is about them.
      const { finding } = this.#indexFindings.get(keyText(key)) ?? {
        finding: new KeyFinding(key, this.#work.isDryRun ? undefined : await this.#items.read(key)),
      }
      this.#indexFindings.set(keyText(key), { finding, initial: ofIndex })
      if (finding.add(shard, false)) changed.add(finding)
    }
    const stripped = suffix.strip(readKey(name, partitionKey, item[partitionKey]))
    if (stripped === undefined || !suffix.accepts(stripped.logical)) return this.#unexplained.add(item)
    const { logical, shard } = stripped
    const isMarked = item[MOVE_ATTRIBUTES.moving] !== undefined
    const text = keyText(logical)
    let finding = this.#findings.get(text)
    if (finding === undefined) {
      const place = itemPlace(options, item, logical)?.(initial) ?? shard
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

  /**
   * The pass over the shards of the keys that were found. A random key needs none: any shard may hold any of its items. In an adopted
   * table, the first shard of each key is looked at, too.
   */
  async #explainKeys(mark: RebuildMark | undefined): Promise<void> {
    const isRandom = this.#table.options.suffix === 'random'
    if (isRandom && !this.#table.options.adopt) return
    if (mark === undefined) {
      for (const { key, highest } of this.#findings.values()) {
        await this.#requireBareFirst(key)
        if (!isRandom) await this.#explain(key, highest)
      }
      return
    }
    for await (const key of this.#items.keys()) {
      await this.#requireBareFirst(key)
      if (isRandom) continue
      const state = await this.#items.read(key)
      if (state === undefined) continue
      const explained = await this.#explain(key, Math.max(state.shards, new KeyFinding(key, state).highest))
      if (explained === 'initial') await this.#items.remove(key)
      else if (explained !== undefined) await this.#items.put(key, explained)
    }
  }

  async #requireBareFirst(key: LogicalKey): Promise<void> {
    const items = numberedFirstShard(this.#table, this.#sender, key)
    for await (const item of items) this.#unexplained.add(item)
  }

  async #explain(key: LogicalKey, highest: number): Promise<ShardState | 'initial' | undefined> {
    const { clock } = this.#work
    const explained = await explainKey(
      this.#table,
      { key, highest },
      {
        sender: this.#sender,
        clock,
        unexplained: this.#unexplained,
        onShard: (items) => this.#progress('keys', items),
      },
    )
    if (typeof explained === 'object' && isUnfinished(explained)) {
      this.#unfinished += 1
      this.#highest = Math.max(this.#highest, readableShards(explained))
    }
    return explained
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
      unexplained: this.#unexplained.count,
      examples: this.#unexplained.examples,
    }
  }
}
