import type { KeptCapacity, KeyspaceCapacity } from '../capacity/keyspace-capacity.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { RecordChange, RecordValue } from '../storage/storage.js'

/** A table or a global index as far as its partitions are concerned. */
interface Partitioned {
  readonly keyspace: string
  readonly capacity: KeyspaceCapacity
}

/**
 * What a store knows of partitions when it is opened, for the keyspaces that are taken up then. Where they begin and what
 * else is known of their capacity are two records, so that a data directory from before the second one is good.
 */
export class KeptPartitions {
  readonly #borders = new Map<string, readonly EncodedKey[]>()
  readonly #capacity = new Map<string, KeptCapacity>()

  /** Takes in a record, if it is of partitions. */
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

  /** To be called when all that was kept is taken up: a keyspace that is made later begins anew. */
  forget(): void {
    this.#borders.clear()
    this.#capacity.clear()
  }
}

/** The partitions as a store keeps them. */
export function partitionRecords({ keyspace, capacity }: Partitioned): readonly RecordChange[] {
  return keptPartitions(
    keyspace,
    capacity.partitions.all.map(({ from }) => from),
    capacity.kept,
  )
}

/** What a store keeps of partitions that begin there. */
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

/** Removes what a store keeps of a keyspace's partitions. */
export function noPartitionRecords(keyspace: string): readonly RecordChange[] {
  return [
    { name: `borders/${keyspace}`, value: undefined },
    { name: `capacity/${keyspace}`, value: undefined },
  ]
}
