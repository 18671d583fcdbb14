import type { MemoryMap } from './memory-map.js'
import type { RecordValue } from './storage.js'

/** What a store in memory is made of. */
export interface MemoryContent {
  readonly keyspaces: Map<string, MemoryMap>
  readonly records: Map<string, RecordValue>
}

/**
 * All tables, streams and tokens of an engine in memory, at one moment. Taking one and going back to it take the same
 * time however much it holds, because its trees share their nodes with those that are written to. It never changes, can
 * be gone back to any number of times, and by other engines of this process, too.
 */
export class Snapshot {
  readonly #content: MemoryContent

  /** @internal Engines make them. */
  constructor(content: MemoryContent) {
    this.#content = copyOf(content)
  }

  /** @internal A copy to write to. */
  copy(): MemoryContent {
    return copyOf(this.#content)
  }
}

function copyOf({ keyspaces, records }: MemoryContent): MemoryContent {
  const copies = [...keyspaces].map(([name, map]): [string, MemoryMap] => [name, map.copy()])
  return { keyspaces: new Map(copies), records: new Map(records) }
}
