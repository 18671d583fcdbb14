import type { MemoryMap } from './memory-map.js'
import type { RecordValue } from './record.js'

/** The content of a store in memory. */
export interface MemoryContent {
  readonly keyspaces: Map<string, MemoryMap>
  readonly records: Map<string, RecordValue>
}

/**
 * All tables, streams and tokens of an engine in memory at one moment. Taking a snapshot and restoring it take the same
 * time at any size, because its trees share their nodes with the trees in use. A snapshot never changes. Any engine of
 * this process can restore it, any number of times.
 */
export class Snapshot {
  readonly #content: MemoryContent

  /** @internal Only engines create snapshots. */
  constructor(content: MemoryContent) {
    this.#content = copyOf(content)
  }

  /** @internal A copy that can be written to. */
  copy(): MemoryContent {
    return copyOf(this.#content)
  }
}

function copyOf({ keyspaces, records }: MemoryContent): MemoryContent {
  const copies = [...keyspaces].map(([name, map]): [string, MemoryMap] => [name, map.copy()])
  return { keyspaces: new Map(copies), records: new Map(records) }
}
