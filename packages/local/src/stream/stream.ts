import type { Random } from '@isotherm/runtime'
import { equalItems } from '@isotherm/semantics'
import { isDamage } from '../errors/is-damage.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { KeyRange } from '../keyspace/key-range.js'
import type { ResourcePolicy } from '../policy/resource-policy.js'
import type { Change, OrderedMap } from '../storage/ordered-map.js'
import type { RecordChange, RecordValue } from '../storage/record.js'
import type { Storage } from '../storage/storage.js'
import { type SequenceNumber, SequenceNumbers, sequenceNumberAt } from './sequence-number.js'
import { openShard, type Shard } from './shard.js'
import type { StreamParameters } from './stream-parameters.js'
import type { StreamViewType } from './stream-record.js'
import { decodeRecord, encodeRecord, type ItemChange, type StreamRecord } from './stream-record.js'

/** The state of a stream, besides its records. Plain data, which a durable store saves unchanged. */
export interface StreamState {
  readonly arn: string
  readonly region: string
  readonly tableName: string
  /** The creation time, which distinguishes the streams of a table. */
  readonly label: string
  readonly viewType: StreamViewType
  readonly hashName: string
  readonly rangeName?: string
  readonly createdAt: number
  /** When the table stopped writing to the stream. It remains readable for a day. */
  readonly disabledAt?: number
  /** The resource policy, which remains when the stream is disabled or its table is deleted. */
  readonly policy?: ResourcePolicy
  readonly shards: readonly Shard[]
}

/** The dependencies of streams. */
export interface StreamParts {
  readonly storage: Storage
  readonly random: Random
  readonly parameters: StreamParameters
}

/** A change of an item, and the item's key. */
export interface PlacedChange extends ItemChange {
  readonly key: EncodedKey
}

/** What a stream adds to a write. An item and its record become durable together or not at all. */
export interface StreamWrite {
  readonly changes: readonly Change[]
  readonly records: readonly RecordChange[]
}

/** A page of a shard's records. */
export interface StreamPage {
  readonly records: readonly StreamRecord[]
  /** The last record read, or the reader's previous position when there was none. */
  readonly last: SequenceNumber | undefined
  /** Whether the shard is closed and was read to its end. */
  readonly ended: boolean
}

const MAX_PAGE_BYTES = 1_048_576
const NOTHING: StreamWrite = { changes: [], records: [] }

/** How often a stream looks for expired records, and how many of them one write reads. On disk, a megabyte takes some milliseconds. */
const SWEEP_MILLISECONDS = 60_000
const SWEPT_AT_ONCE = 1000
const SWEPT_BYTES_AT_ONCE = 1024 * 1024

/**
 * The changes of a table's items, in order for each item, in shards that follow the table's partitions. When a
 * partition is split, its shard ends and two children continue it. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
 */
export class Stream {
  readonly #parts: StreamParts
  readonly #records: OrderedMap
  readonly #numbers: SequenceNumbers
  #state: StreamState
  /** Open shards in key order of their partitions. */
  #open: readonly Shard[]
  #sweepsAt = 0
  /** The last record of each shard written since this process started, durable or not. */
  readonly #lastWritten = new Map<string, SequenceNumber>()
  /** The last record of each shard that was removed since this process started. */
  readonly #lastRemoved = new Map<string, SequenceNumber>()

  constructor(state: StreamState, parts: StreamParts) {
    this.#state = state
    this.#parts = parts
    this.#records = parts.storage.open(streamKeyspace(state.arn))
    this.#open = openShardsOf(state)
    this.#numbers = new SequenceNumbers(this.#lastKnownNumber())
  }

  /** Creates a stream with one shard for each partition. */
  static create(
    state: Omit<StreamState, 'shards'>,
    borders: readonly EncodedKey[],
    parts: StreamParts,
  ): Stream {
    const numbers = new SequenceNumbers()
    const shards = borders.map((from) =>
      openShard(from, numbers.next(state.createdAt), state.createdAt, parts.random),
    )
    return new Stream({ ...state, shards }, parts)
  }

  get state(): StreamState {
    return this.#state
  }

  /** The record that stores the stream. */
  get record(): RecordChange {
    return { name: streamRecordName(this.#state.arn), value: this.#state as unknown as RecordValue }
  }

  get enabled(): boolean {
    return this.#state.disabledAt === undefined
  }

  /** Whether nothing of the stream is readable any more. */
  isOver(now: number): boolean {
    const { disabledAt } = this.#state
    return disabledAt !== undefined && disabledAt + this.#parts.parameters.streamRetentionMilliseconds <= now
  }

  /** Appends a record for each changed item. A write that changes nothing produces no record. */
  append(writes: readonly PlacedChange[], now: number): StreamWrite {
    const changed = writes.filter(({ before, after }) => !isSame(before, after))
    if (changed.length === 0) return NOTHING
    const { hashName, rangeName, viewType } = this.#state
    const keyNames = rangeName === undefined ? [hashName] : [hashName, rangeName]
    const before = this.#state
    this.#rollOver(now)
    const changes = changed.map((change): Change => {
      const shard = this.#shardOf(change.key)
      const number = this.#numbers.next(now)
      this.#lastWritten.set(shard.id, number)
      const key = recordKey(shard.id, number)
      const after = encodeRecord(change, keyNames, viewType, now)
      return { keyspace: streamKeyspace(this.#state.arn), key, before: undefined, after }
    })
    changes.push(...this.#sweep(now))
    return { changes, records: this.#state === before ? [] : [this.record] }
  }

  /** Follows a partition split at the border: its shard ends, and two children begin. */
  split(border: EncodedKey, now: number): RecordChange {
    const parent = this.#shardOf(border)
    this.#succeed(parent, [parent.from, border], now)
    return this.record
  }

  disable(now: number): RecordChange {
    const shards = this.#state.shards.map((shard) => this.#closed(shard, now))
    this.#change({ ...this.#state, disabledAt: now, shards })
    return this.record
  }

  /** The caller must save the stream. */
  changePolicy(policy: ResourcePolicy | undefined): void {
    const { policy: _, ...rest } = this.#state
    this.#change(policy === undefined ? rest : { ...rest, policy })
  }

  /** The shards that still hold readable records, oldest first. */
  shards(now: number): readonly Shard[] {
    return this.#state.shards.filter((shard) => !this.#isTrimmed(shard, now))
  }

  /** The oldest sequence number that can still be read. */
  trimHorizon(now: number): SequenceNumber {
    return sequenceNumberAt(now - this.#parts.parameters.streamRetentionMilliseconds)
  }

  /** The number of the shard's last durable record, or the shard's first number when it has none. */
  latestIn(shard: Shard): SequenceNumber {
    for (const [key] of this.#records.range(recordsOf(shard.id), true)) return sequenceOf(key)
    return this.#lastRemoved.get(shard.id) ?? shard.startingSequenceNumber
  }

  /**
   * Whether records behind this position can no longer be read, so that a reader who continues would miss them. Those that were
   * removed before this process started are not known any more.
   */
  hasTrimmedAfter(shard: Shard, after: SequenceNumber, now: number): boolean {
    const horizon = this.trimHorizon(now)
    if (after >= horizon) return false
    if ((this.#lastRemoved.get(shard.id) ?? '') > after) return true
    const trimmed = { from: behind(shard.id, after), to: recordKey(shard.id, horizon) }
    for (const _ of this.#records.range(trimmed)) return true
    return false
  }

  /**
   * Reads records of a shard.
   * @param after the number of the last record already read. `undefined` begins with the oldest.
   */
  read(shard: Shard, after: SequenceNumber | undefined, limit: number, now: number): StreamPage {
    const horizon = this.trimHorizon(now)
    const from =
      after === undefined || after < horizon ? recordKey(shard.id, horizon) : behind(shard.id, after)
    const records: StreamRecord[] = []
    let bytes = 0
    for (const [key, stored] of this.#records.range({ from, to: recordsOf(shard.id).to })) {
      if (records.length > 0 && bytes + stored.bytes > MAX_PAGE_BYTES)
        return this.#page(records, after, false)
      records.push(decodeRecord(sequenceOf(key), stored))
      bytes += stored.bytes
      if (records.length === limit) return this.#page(records, after, false)
    }
    const last = records.at(-1)?.sequenceNumber ?? after ?? ''
    // Records that are not durable yet are not visible here, but belong to the shard.
    const written = this.#lastWritten.get(shard.id) ?? ''
    const isComplete = last >= written || written < horizon
    return this.#page(records, after, shard.endingSequenceNumber !== undefined && isComplete)
  }

  #page(records: readonly StreamRecord[], after: SequenceNumber | undefined, ended: boolean): StreamPage {
    return { records, last: records.at(-1)?.sequenceNumber ?? after, ended }
  }

  #isTrimmed({ closedAt }: Shard, now: number): boolean {
    return closedAt !== undefined && closedAt + this.#parts.parameters.streamRetentionMilliseconds <= now
  }

  #shardOf(key: EncodedKey): Shard {
    let found: Shard | undefined
    for (const shard of this.#open) {
      if (shard.from > key) break
      found = shard
    }
    if (found === undefined) throw new Error('No shard of the stream is open for this key; one must be.')
    return found
  }

  /** Closes shards that are old enough, and continues each in one child. */
  #rollOver(now: number): void {
    const { streamShardMilliseconds } = this.#parts.parameters
    for (const shard of this.#open) {
      if (shard.openedAt + streamShardMilliseconds <= now) this.#succeed(shard, [shard.from], now)
    }
  }

  #succeed(parent: Shard, borders: readonly EncodedKey[], now: number): void {
    const closed = this.#closed(parent, now)
    const children = borders.map((from) =>
      openShard(from, this.#numbers.next(now), now, this.#parts.random, parent.id),
    )
    const kept = this.#state.shards.filter((shard) => !this.#isTrimmed(shard, now) || !this.#isEmpty(shard))
    for (const { id } of this.#state.shards) {
      if (kept.some((shard) => shard.id === id)) continue
      this.#lastWritten.delete(id)
      this.#lastRemoved.delete(id)
    }
    const shards = [...kept.map((shard) => (shard.id === parent.id ? closed : shard)), ...children]
    this.#change({ ...this.#state, shards })
  }

  #closed(shard: Shard, now: number): Shard {
    if (shard.endingSequenceNumber !== undefined) return shard
    return { ...shard, endingSequenceNumber: this.#numbers.next(now), closedAt: now }
  }

  #change(state: StreamState): void {
    this.#state = state
    this.#open = openShardsOf(state)
  }

  /** Removes some expired records together with the writes of a request. */
  #sweep(now: number): Change[] {
    if (now < this.#sweepsAt) return []
    this.#sweepsAt = now + SWEEP_MILLISECONDS
    const changes: Change[] = []
    try {
      // If more records have expired, the next write continues.
      if (!this.#sweepInto(changes, now)) this.#sweepsAt = now
    } catch (error) {
      // The write of an item must not fail for it. Those behind it stay until the stream ends.
      if (!isDamage(error)) throw error
    }
    return changes
  }

  /** @returns whether no more records have expired. */
  #sweepInto(changes: Change[], now: number): boolean {
    let looked = 0
    let bytes = 0
    for (const shard of this.#state.shards) {
      for (const [key, before] of this.#records.range(this.#trimmedOf(shard, now))) {
        if (looked === SWEPT_AT_ONCE || bytes >= SWEPT_BYTES_AT_ONCE) return false
        looked++
        bytes += before.bytes
        // An earlier write that is not durable yet has removed it.
        if (this.#records.latest(key) === undefined) continue
        changes.push({ keyspace: streamKeyspace(this.#state.arn), key, before, after: undefined })
        this.#lastRemoved.set(shard.id, sequenceOf(key))
      }
    }
    return true
  }

  #trimmedOf({ id }: Shard, now: number): KeyRange {
    return { from: recordsOf(id).from, to: recordKey(id, this.trimHorizon(now)) }
  }

  /** A shard is removed once its records are gone. */
  #isEmpty(shard: Shard): boolean {
    for (const _ of this.#records.range(recordsOf(shard.id))) return false
    return true
  }

  #lastKnownNumber(): SequenceNumber {
    const known = this.#state.shards.flatMap((shard) => [
      shard.startingSequenceNumber,
      shard.endingSequenceNumber ?? this.latestIn(shard),
    ])
    return known.sort().at(-1) ?? sequenceNumberAt(0)
  }
}

/** The name of the record that stores a stream's state. */
export function streamRecordName(arn: string): string {
  return `stream/${arn}`
}

/** The keyspace that holds a stream's records. */
export function streamKeyspace(arn: string): string {
  return `stream/${arn}`
}

function openShardsOf({ shards }: StreamState): readonly Shard[] {
  const open = shards.filter(({ endingSequenceNumber }) => endingSequenceNumber === undefined)
  return open.sort((a, b) => (a.from < b.from ? -1 : 1))
}

function isSame(before: ItemChange['before'], after: ItemChange['after']): boolean {
  if (before === undefined || after === undefined) return before === after
  return before.bytes === after.bytes && equalItems(before.item, after.item)
}

function recordKey(shardId: string, number: SequenceNumber): EncodedKey {
  return `${shardId}/${number}` as EncodedKey
}

function behind(shardId: string, number: SequenceNumber): EncodedKey {
  return `${recordKey(shardId, number)}\u0000` as EncodedKey
}

function recordsOf(shardId: string): KeyRange {
  // `0` follows `/`, so the range holds exactly this shard's records.
  return { from: `${shardId}/` as EncodedKey, to: `${shardId}0` as EncodedKey }
}

function sequenceOf(key: EncodedKey): SequenceNumber {
  return key.slice(key.indexOf('/') + 1)
}
