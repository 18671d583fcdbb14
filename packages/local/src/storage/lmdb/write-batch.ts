import type { EncodedKey } from '../../keyspace/encoded-key.js'
import type { Change, RecordChange, RecordValue, StoredItem } from '../storage.js'
import type { LmdbMap } from './lmdb-map.js'

/** What a commit does to one key, however many writes it holds for it. */
export interface NetChange {
  /** Whether the key is in the database before the commit. */
  readonly existed: boolean
  readonly after: StoredItem | undefined
}

/** Everything that was written while the commit before it was under way: one transaction, one flush, one promise. */
export class WriteBatch {
  readonly changes = new Map<string, { readonly map: LmdbMap; readonly keys: Map<EncodedKey, NetChange> }>()
  readonly records = new Map<string, RecordValue | undefined>()
  /** Keyspaces that are no more; one of the same name may be among the changes. */
  readonly dropped: { readonly name: string; readonly map: LmdbMap }[] = []
  readonly durable: Promise<void>
  #resolve: () => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor() {
    this.durable = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // Every writer waits for a promise of its own; that nobody waits for this one must not end the process.
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
