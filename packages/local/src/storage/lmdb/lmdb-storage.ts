import { isDamage } from '../../errors/is-damage.js'
import { LocalError } from '../../errors/local-error.js'
import type { KeyspaceView } from '../keyspace-view.js'
import { MapView } from '../map-view.js'
import type { Change, OrderedMap } from '../ordered-map.js'
import { nowAndOverTurns } from '../over-turns.js'
import type { RecordChange, RecordValue } from '../record.js'
import type { Storage } from '../storage.js'
import { claimDirectory, type DataDirectory } from './data-directory.js'
import type { Database } from './database.js'
import { checkSpaceFor, removalsBeside } from './free-space.js'
import { KeyLayers, type Layer } from './key-layers.js'
import { LmdbMap } from './lmdb-map.js'
import { RowPlan } from './row-plan.js'
import { storageFailure } from './storage-failure.js'
import { encodeStoredItem } from './stored-item-codec.js'
import {
  encodeSystemValue,
  FIRST_LAYER,
  type KeyspaceRow,
  keyspaceRow,
  systemKey,
  systemRows,
} from './system-rows.js'
import { WriteBatch } from './write-batch.js'

/** How many rows of dropped keyspaces a commit removes at most besides its own writes: a small part of a full commit. */
const SWEPT_ROWS = 256

/** Encoding a batch of 16 MB takes hundreds of milliseconds, and of so many bytes a few. */
const ENCODED_BYTES_PER_TURN = 256 * 1024

/** Options of a store on disk. */
export interface LmdbStorageOptions {
  /** Called when commits begin to fail. It is called again only after a commit has succeeded. */
  readonly onFailure?: (error: LocalError) => void
  /** How many bytes of a key go into one row. Only tests make it smaller. */
  readonly sliceBytes?: number
  /** The largest data file. The default is the limit of the process. Only tests give another one. */
  readonly maxFileBytes?: number
}

/**
 * Keyspaces on disk, in LMDB. A write is acknowledged once it would survive a power cut.
 *
 * Commits run one after another. Everything written during a commit goes into the next one. So many writers share one
 * flush, and no writer waits for more than two. When a commit fails, its writes are rejected, and so are all writes
 * made since, because they may build on it. The store then returns to its durable state and continues.
 */
export class LmdbStorage implements Storage {
  readonly #directory: DataDirectory
  readonly #database: Database
  readonly #layers: KeyLayers
  readonly #sliceBytes: number | undefined
  readonly #maxFileBytes: number | undefined
  readonly #onFailure: (error: LocalError) => void
  readonly #maps = new Map<string, LmdbMap>()
  readonly #views = new Set<KeyspaceView>()
  /** Roots of dropped keyspaces, and the layers under them, whose rows still exist. */
  readonly #dropped = new Set<Layer>()
  #nextLayer: Layer
  #next: WriteBatch | undefined
  #committing: WriteBatch | undefined
  #commits: Promise<void> | undefined
  #failing = false
  /** Whether the disk has no room for the removal of rows. It continues with a later write. */
  #isTight = false
  #isDamaged = false
  #failures = 0
  #closed = false
  #isUnwanted = false

  /** @throws LocalError when the directory is foreign, newer, damaged or in use. */
  constructor(path: string, { onFailure = () => {}, sliceBytes, maxFileBytes }: LmdbStorageOptions = {}) {
    this.#directory = claimDirectory(path)
    this.#database = this.#directory.database
    this.#layers = new KeyLayers(this.#database, sliceBytes)
    this.#sliceBytes = sliceBytes
    this.#maxFileBytes = maxFileBytes
    this.#onFailure = onFailure
    try {
      this.#nextLayer = this.#readSystemRows()
    } catch (error) {
      void this.#directory.release()
      throw error
    }
    this.#database.onDamage = (error) => this.#reportDamage(error)
    if (this.#dropped.size > 0) this.#start()
  }

  get failures(): number {
    return this.#failures
  }

  open(keyspace: string): OrderedMap {
    return this.#map(keyspace)
  }

  /** @throws LocalError `local.closed`, `storage.damaged` */
  view(keyspace: string): KeyspaceView {
    if (this.#closed) throw closed()
    const { rows, close } = this.#database.view()
    try {
      // The size is read with the items: a commit may be on disk already and not be acknowledged yet.
      const map = new LmdbMap(new KeyLayers(rows, this.#sliceBytes), keyspaceRow(rows, keyspace))
      const view = new MapView(map, () => {
        this.#views.delete(view)
        close()
      })
      this.#views.add(view)
      return view
    } catch (error) {
      close()
      throw error
    }
  }

  write(changes: readonly Change[], records: readonly RecordChange[] = []): Promise<void> {
    const batch = this.#batch()
    for (const change of changes) batch.change(change.keyspace, this.#map(change.keyspace), change)
    for (const record of records) batch.record(record)
    return batch.durable
  }

  drop(keyspaces: readonly string[], records: readonly RecordChange[] = []): Promise<void> {
    const batch = this.#batch()
    for (const name of keyspaces) {
      const map = this.#maps.get(name)
      if (map === undefined) continue
      batch.drop(name, map)
      this.#maps.delete(name)
    }
    for (const record of records) batch.record(record)
    return batch.durable
  }

  *records(): Iterable<readonly [string, RecordValue]> {
    for (const [name, value] of systemRows(this.#database, 'record')) yield [name, value as RecordValue]
  }

  settled(): Promise<void> | undefined {
    return (this.#next ?? this.#committing)?.durable
  }

  /** @throws LocalError always: a copy would cost as much as all data on disk. */
  snapshot(): never {
    throw this.#noSnapshots()
  }

  /** @throws LocalError always */
  restored(): never {
    throw this.#noSnapshots()
  }

  emptied(): Promise<void> {
    const names = new Set([...this.records()].map(([name]) => name))
    for (const batch of [this.#committing, this.#next]) {
      for (const name of batch?.records.keys() ?? []) names.add(name)
    }
    return this.drop(
      [...this.#maps.keys()],
      [...names].map((name) => ({ name, value: undefined })),
    )
  }

  /** Resolves when all writes are durable. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    while (this.#commits !== undefined) await this.#commits
    for (const view of this.#views) view.close()
    if (this.#isUnwanted) await this.#directory.discard()
    else await this.#directory.release()
  }

  /** Makes `close` remove the files that this store has created. Those of a directory that held data before stay. */
  discardOnClose(): void {
    this.#isUnwanted = true
  }

  /** @returns the next layer. */
  #readSystemRows(): Layer {
    for (const [name, row] of systemRows(this.#database, 'keyspace')) {
      this.#maps.set(name, new LmdbMap(this.#layers, row as KeyspaceRow))
    }
    for (const [layer] of systemRows(this.#database, 'dropped')) this.#dropped.add(Number(layer))
    const [nextLayer] = systemRows(this.#database, 'next-layer')
    return nextLayer === undefined ? FIRST_LAYER : Number(nextLayer[1])
  }

  /** Each request that meets damage is answered with the error. The listener hears of it once. */
  #reportDamage(error: LocalError): void {
    if (this.#isDamaged) return
    this.#isDamaged = true
    queueMicrotask(() => this.#onFailure(error))
  }

  #noSnapshots(): LocalError {
    const { path } = this.#directory
    const message = `Snapshots need data in memory, and this engine keeps its data in ${path}; start it without a data directory.`
    return new LocalError('snapshot.durable', message, { path })
  }

  #map(name: string): LmdbMap {
    const present = this.#maps.get(name)
    if (present !== undefined) return present
    const created = new LmdbMap(this.#layers)
    this.#maps.set(name, created)
    return created
  }

  #batch(): WriteBatch {
    if (this.#closed) throw closed()
    if (this.#next === undefined) {
      this.#next = new WriteBatch()
      this.#start()
    }
    return this.#next
  }

  /** Starts in a microtask, so that all writes of this turn share one commit. */
  #start(): void {
    this.#commits ??= Promise.resolve().then(() => this.#commitAll())
  }

  async #commitAll(): Promise<void> {
    for (let batch = this.#take(); batch !== undefined; batch = this.#take()) {
      this.#committing = batch
      try {
        await this.#commit(batch)
      } catch (error) {
        this.#fail(batch, error)
        break
      }
      this.#committing = undefined
      batch.resolve()
    }
    this.#committing = undefined
    this.#commits = undefined
    if (this.#next !== undefined) this.#start()
  }

  /** The writes since the last commit. Without writes, an empty batch while there are rows to sweep. */
  #take(): WriteBatch | undefined {
    const next = this.#next
    this.#next = undefined
    if (next !== undefined) return next
    return this.#dropped.size > 0 && !this.#isTight && !this.#closed ? new WriteBatch() : undefined
  }

  async #commit(batch: WriteBatch): Promise<void> {
    // More may be written to the keyspaces while the items are encoded.
    const sizes = Array.from(batch.changes.values(), ({ map: { size, bytes } }) => ({ size, bytes }))
    const encoding = nowAndOverTurns(encodeInSteps(batch))
    const encoded = encoding instanceof Promise ? await encoding : encoding
    const plan = new RowPlan(this.#layers, () => this.#nextLayer++)
    const firstNewLayer = this.#nextLayer
    const roots: Layer[] = []
    for (const { name, map } of batch.dropped) {
      plan.row(systemKey('keyspace', name), undefined)
      if (map.durable === undefined) continue
      roots.push(map.durable.root)
      plan.row(systemKey('dropped', String(map.durable.root)), encodeSystemValue(null))
    }
    const settled: (() => void)[] = []
    let keyspaces = 0
    let items = 0
    for (const [name, { map, keys }] of batch.changes) {
      const root = map.durable?.root ?? this.#nextLayer++
      for (const [key, { existed }] of keys) plan.key(root, key, encoded[items++], existed)
      const { size = 0, bytes = 0 } = sizes[keyspaces++] ?? {}
      const durable: KeyspaceRow = { root, size, bytes }
      plan.row(systemKey('keyspace', name), encodeSystemValue({ ...durable }))
      settled.push(() => map.settle(batch, keys.keys(), durable))
    }
    for (const [name, value] of batch.records) {
      plan.row(systemKey('record', name), value === undefined ? undefined : encodeSystemValue(value))
    }
    if (this.#nextLayer !== firstNewLayer) {
      plan.row(systemKey('next-layer'), encodeSystemValue(this.#nextLayer))
    }
    const { path } = this.#directory
    checkSpaceFor(path, plan.rows(), this.#maxFileBytes)
    const swept = this.#sweep(plan)
    const rows = plan.rows()
    if (rows.size > 0) await this.#database.commit(rows)
    this.#failing = false
    for (const { map } of batch.dropped) map.empty()
    for (const settle of settled) settle()
    for (const layer of swept.done) this.#dropped.delete(layer)
    for (const layer of [...roots, ...swept.found]) this.#dropped.add(layer)
  }

  /**
   * Plans the removal of some rows of dropped keyspaces. Commits share this work, so dropping a keyspace is quick
   * whatever its size. On a disk that is nearly full, a commit removes fewer rows, so that its own writes fit.
   */
  #sweep(plan: RowPlan): { readonly done: readonly Layer[]; readonly found: readonly Layer[] } {
    const done: Layer[] = []
    const found: Layer[] = []
    if (this.#dropped.size === 0) return { done, found }
    let left = removalsBeside(this.#directory.path, plan.rows(), SWEPT_ROWS, this.#maxFileBytes)
    this.#isTight = left === 0
    if (this.#isTight) return { done, found }
    for (const layer of this.#dropped) {
      try {
        for (const { key, link } of this.#layers.rows(layer)) {
          if (left-- === 0) return { done, found }
          plan.row(key, undefined)
          if (link === undefined) continue
          found.push(link.layer)
          plan.row(systemKey('dropped', String(link.layer)), encodeSystemValue(null))
        }
      } catch (error) {
        if (!isDamage(error)) throw error
        // These rows are never read, so their damage refuses no write. They stay until the next start, which tries again.
        this.#dropped.delete(layer)
        continue
      }
      done.push(layer)
      plan.row(systemKey('dropped', String(layer)), undefined)
    }
    return { done, found }
  }

  /** Rejects the batch and all writes made since. */
  #fail(batch: WriteBatch, cause: unknown): void {
    const failed = this.#next === undefined ? [batch] : [this.#next, batch]
    this.#next = undefined
    this.#failures++
    for (const { changes, dropped } of failed) {
      for (const { map } of changes.values()) map.forget()
      // The first of several maps with one name is the durable one.
      for (const { name, map } of dropped.toReversed()) {
        map.forget()
        this.#maps.set(name, map)
      }
    }
    const error = storageFailure(this.#directory.path, cause)
    for (const each of failed.reverse()) each.reject(error)
    const isFirst = !this.#failing
    this.#failing = true
    // Called in a microtask, because the listener may throw.
    if (isFirst) queueMicrotask(() => this.#onFailure(error))
  }
}

/** The items that a batch stores, in order, and `undefined` for each one that it removes. */
function* encodeInSteps(batch: WriteBatch): Generator<undefined, readonly (Buffer | undefined)[], undefined> {
  const encoded: (Buffer | undefined)[] = []
  let bytes = 0
  for (const { keys } of batch.changes.values()) {
    for (const { after } of keys.values()) {
      if (bytes > ENCODED_BYTES_PER_TURN) {
        yield
        bytes = 0
      }
      encoded.push(after === undefined ? undefined : encodeStoredItem(after))
      bytes += after?.bytes ?? 0
    }
  }
  return encoded
}

function closed(): LocalError {
  return new LocalError('local.closed', 'The store is closed: nothing can be read from it or written to it.')
}
