import type { EncodedKey } from '../../keyspace/encoded-key.js'
import type { Change, StoredItem } from '../ordered-map.js'
import type { RecordChange, RecordValue } from '../record.js'
import type { LmdbMap } from './lmdb-map.js'

/** The net effect of a commit on one key, however many writes the commit holds for it. */
export interface NetChange {
  /** Whether the key is in the database before the commit. */
  readonly existed: boolean
  readonly after: StoredItem | undefined
}

/** All writes made while the previous commit was running: one transaction, one flush, one promise. */
export class WriteBatch {
  readonly changes = new Map<string, { readonly map: LmdbMap; readonly keys: Map<EncodedKey, NetChange> }>()
  readonly records = new Map<string, RecordValue | undefined>()
  /** Dropped keyspaces. The changes may include a new keyspace of the same name. */
  readonly dropped: { readonly name: string; readonly map: LmdbMap }[] = []
  readonly durable: Promise<void>
  #resolve: () => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor() {
    this.durable = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // Every writer awaits its own promise. Without this handler, a rejection of the batch's promise would end the
    // process.
    this.durable.catch(() => {})
  }

  change(name: string, map: LmdbMap, change: Change): void {
    let changes = this.changes.get(name)
    if (changes === undefined) {
      changes = { map, keys: new Map() }
      this.changes.set(name, changes)
    }
    const existed = changes.keys.get(change.key)?.existed ?? change.before !== undefined
    changes.keys.set(change.key, { existed, after: change.after })
    map.apply(change, this)
  }

  record({ name, value }: RecordChange): void {
    this.records.set(name, value)
  }

  drop(name: string, map: LmdbMap): void {
    this.changes.delete(name)
    this.dropped.push({ name, map })
  }

  resolve(): void {
    this.#resolve()
  }

  reject(error: unknown): void {
    this.#reject(error)
  }
}
