import type { KeptCapacity, KeyspaceCapacity } from '../capacity/keyspace-capacity.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { RecordChange, RecordValue } from '../storage/record.js'

/** The part of a table or global index that concerns partitions. */
interface Partitioned {
  readonly keyspace: string
  readonly capacity: KeyspaceCapacity
}

/**
 * The stored partitions of the keyspaces that are loaded when the store is opened. Borders and the other capacity state
 * are separate records, so that a data directory without the second record remains valid.
 */
export class KeptPartitions {
  readonly #borders = new Map<string, readonly EncodedKey[]>()
  readonly #capacity = new Map<string, KeptCapacity>()

  /** Loads a record, if it describes partitions. */
  load(kind: string, keyspace: string, value: RecordValue): void {
    if (kind === 'borders') this.#borders.set(keyspace, value as unknown as readonly EncodedKey[])
    else if (kind === 'capacity') this.#capacity.set(keyspace, value as unknown as KeptCapacity)
  }

  bordersOf(keyspace: string): readonly EncodedKey[] | undefined {
    return this.#borders.get(keyspace)
  }

  capacityOf(keyspace: string): KeptCapacity | undefined {
    return this.#capacity.get(keyspace)
  }

  /** Call this after all stored keyspaces are loaded, so that a keyspace created later starts with new partitions. */
  forget(): void {
    this.#borders.clear()
    this.#capacity.clear()
  }
}

/** The records that store the partitions of a keyspace. */
export function partitionRecords({ keyspace, capacity }: Partitioned): readonly RecordChange[] {
  return keptPartitions(
    keyspace,
    capacity.partitions.all.map(({ from }) => from),
    capacity.kept,
  )
}

/** The records that store partitions with these borders. */
export function keptPartitions(
  keyspace: string,
  borders: readonly EncodedKey[],
  capacity: KeptCapacity,
): readonly RecordChange[] {
  return [
    { name: `borders/${keyspace}`, value: borders },
    { name: `capacity/${keyspace}`, value: capacity as unknown as RecordValue },
  ]
}

/** The changes that remove the records of a keyspace's partitions. */
export function noPartitionRecords(keyspace: string): readonly RecordChange[] {
  return [
    { name: `borders/${keyspace}`, value: undefined },
    { name: `capacity/${keyspace}`, value: undefined },
  ]
}
