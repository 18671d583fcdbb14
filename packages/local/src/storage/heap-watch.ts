import { getHeapStatistics } from 'node:v8'
import { LocalError } from '../errors/local-error.js'

/** Looking at the heap takes microseconds, so it is not done with each write. */
const WRITES_BETWEEN_LOOKS = 2_000

/** Near its limit the collector runs so often that Node gives up, a little before the limit itself. */
const FULL_ABOVE = 0.85

const MEGABYTE = 1024 * 1024

/** The limit that V8 reports includes the space of young objects, which data does not stay in. */
const YOUNG_BYTES = 48 * MEGABYTE

/** The bytes of the heap that are in use, and its limit. */
export interface HeapUse {
  readonly usedBytes: number
  readonly limitBytes: number
}

/**
 * Reports once that the heap of the process is nearly full. When it is full, Node ends the process with a trace of the
 * collector, which does not say why.
 */
export class HeapWatch {
  readonly #onFull: (error: LocalError) => void
  readonly #heapUse: () => HeapUse
  #writes = 0
  #isReported = false

  /** @param heapUse only tests give another one. */
  constructor(onFull: (error: LocalError) => void, heapUse: () => HeapUse = nodeHeap) {
    this.#onFull = onFull
    this.#heapUse = heapUse
  }

  /** Call it with each write. */
  look(): void {
    if (this.#isReported || ++this.#writes % WRITES_BETWEEN_LOOKS !== 0) return
    const { usedBytes, limitBytes } = this.#heapUse()
    if (usedBytes < FULL_ABOVE * limitBytes) return
    this.#isReported = true
    const [used, limit] = [usedBytes, limitBytes].map((bytes) => Math.round(bytes / MEGABYTE))
    this.#onFull(
      new LocalError(
        'storage.memory',
        `The memory of this process is nearly full: ${used} of ${limit} MB are in use. When it is full, Node ends the process and its data is lost. Delete items or tables, keep the data on disk (--data DIR, or the option data), or raise the limit with NODE_OPTIONS=--max-old-space-size=MEGABYTES.`,
        { usedBytes, limitBytes },
      ),
    )
  }
}

/** The heap of this process. */
export function nodeHeap(): HeapUse {
  const { used_heap_size: usedBytes, heap_size_limit: limitBytes } = getHeapStatistics()
  return { usedBytes, limitBytes: limitBytes - YOUNG_BYTES }
}
