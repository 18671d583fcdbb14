import type { HeatMeter } from '../capacity/heat-meter.js'
import type { ThrottlingReason } from '../capacity/throttled.js'
import { decodeKey, keyLength } from '../keyspace/decode-key.js'
import { type EncodedKey, HASH_BYTES } from '../keyspace/encoded-key.js'
import type { AccessKind } from '../partition/partition.js'
import type { KeyAttribute } from '../table/table-definition.js'
import { emptyCell, type HeatCell, weightOf } from './heat-cell.js'
import { ClosedFrame } from './heat-frame.js'

/** A table or a global index whose traffic is recorded. */
export interface HeatKeyspace {
  readonly region: string
  readonly table: string
  readonly index: string | undefined
}

/** A partition key. There is one object for each key, so it can be compared by identity. */
export interface HeatKey {
  /** Its hash, in hexadecimal digits. It is its place: partitions are ranges of hashes. */
  readonly hash: string
  /** The values of its attributes, as text. Long values are cut. */
  readonly values: readonly string[]
  /** Whether a value is longer than what is kept of it. */
  readonly isCut: boolean
}

/** What a partition serves in a second, in units. */
export interface PartitionLimit {
  readonly write: number
  readonly read: number
}

/** A key of 2 KB in each of half a million cells would take a gigabyte. */
const KEPT_CHARACTERS = 256

interface KeyCount {
  readonly example: EncodedKey
  readonly cell: HeatCell
}

/** Records the traffic of one table or index during the current second. */
export class KeyspaceHeat implements HeatMeter {
  readonly keyspace: HeatKeyspace
  readonly #types: readonly KeyAttribute['type'][]
  readonly #limit: PartitionLimit
  readonly #maxKeys: number
  readonly #onRecord: (keyspace: KeyspaceHeat, now: number) => void
  /** Keys that are named in columns, by hash. An entry goes when no column names it any more. */
  readonly #names = new Map<string, WeakRef<HeatKey>>()
  readonly #forgotten = new FinalizationRegistry<string>((hash) => {
    if (this.#names.get(hash)?.deref() === undefined) this.#names.delete(hash)
  })
  #partitions = new Map<number, HeatCell>()
  #keys = new Map<string, KeyCount>()
  #reasons = new Map<ThrottlingReason, number>()

  /** @param onRecord called before anything is recorded, so that the second can be closed. */
  constructor(
    keyspace: HeatKeyspace,
    hash: readonly KeyAttribute[],
    limit: PartitionLimit,
    maxKeys: number,
    onRecord: (keyspace: KeyspaceHeat, now: number) => void,
  ) {
    this.keyspace = keyspace
    this.#types = hash.map(({ type }) => type)
    this.#limit = limit
    this.#maxKeys = maxKeys
    this.#onRecord = onRecord
  }

  consumed(kind: AccessKind, partition: number, key: EncodedKey, units: number, now: number): void {
    this.#onRecord(this, now)
    const side = kind === 'write' ? 'writeUnits' : 'readUnits'
    this.#partition(partition)[side] += units
    const cell = this.#key(key)
    if (cell !== undefined) cell[side] += units
  }

  throttled(partition: number, key: EncodedKey, reason: ThrottlingReason, now: number): void {
    this.#onRecord(this, now)
    const cause = reason.includes('KeyRange') ? 'partitionThrottles' : 'tableThrottles'
    this.#partition(partition)[cause]++
    const cell = this.#key(key)
    if (cell !== undefined) cell[cause]++
    this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1)
  }

  /** Ends the current second. @param keys how many keys to keep, the heaviest. */
  close(keys: number): ClosedFrame {
    const counts = [...this.#keys].sort(([, a], [, b]) => weightOf(b.cell) - weightOf(a.cell)).slice(0, keys)
    for (const cell of this.#partitions.values()) cell.peak = this.#heatOf(cell)
    const named = counts.flatMap(([hash, { example, cell }]) => {
      const name = this.#name(hash, example)
      return name === undefined ? [] : [[name, { ...cell, peak: this.#heatOf(cell) }] as const]
    })
    const frame = new ClosedFrame([...this.#partitions], named, this.#reasons)
    this.#partitions = new Map()
    this.#keys = new Map()
    this.#reasons = new Map()
    return frame
  }

  #heatOf({ writeUnits, readUnits }: HeatCell): number {
    return Math.max(writeUnits / this.#limit.write, readUnits / this.#limit.read)
  }

  #partition(id: number): HeatCell {
    let cell = this.#partitions.get(id)
    if (cell === undefined) {
      cell = emptyCell()
      this.#partitions.set(id, cell)
    }
    return cell
  }

  /** The hash stands for the key: text of 8 characters is a copy, and does not keep the whole key in memory. */
  #key(key: EncodedKey): HeatCell | undefined {
    // The border at which a scan begins is a hash and no more.
    if (key.length <= HASH_BYTES) return undefined
    const hash = key.slice(0, HASH_BYTES)
    const known = this.#keys.get(hash)
    if (known !== undefined) return known.cell
    if (this.#keys.size >= this.#maxKeys) return undefined
    const cell = emptyCell()
    this.#keys.set(hash, { example: key, cell })
    return cell
  }

  #name(hash: string, example: EncodedKey): HeatKey | undefined {
    const known = this.#names.get(hash)?.deref()
    if (known !== undefined) return known
    if (keyLength(example, this.#types) === undefined) return undefined
    const values = decodeKey(example, this.#types)
    const name: HeatKey = {
      hash: Buffer.from(hash, 'latin1').toString('hex'),
      values: values.map(cut),
      isCut: values.some((value) => value.length > KEPT_CHARACTERS),
    }
    this.#names.set(hash, new WeakRef(name))
    this.#forgotten.register(name, hash)
    return name
  }
}

/** A copy, because a slice would keep the whole text. */
function cut(value: string): string {
  return value.length <= KEPT_CHARACTERS ? value : Buffer.from(value.slice(0, KEPT_CHARACTERS)).toString()
}
