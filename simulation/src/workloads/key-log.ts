import { Violation } from '../world/violation.js'

/** What came of a reading of one key, page by page. */
export interface LogRead {
  /** In the order in which they came. */
  readonly ids: readonly number[]
  readonly forward: boolean
  /** The ids that the query asked for. */
  readonly from: number
  readonly to: number
  /** What was acknowledged up to this time must have been read. */
  readonly knowsUntil: number
  /** Whether it came to its end; else it says nothing about what is beyond its last item. */
  readonly isWhole: boolean
}

interface Entry {
  acknowledgedAt: number
  /** How many copies there may be: an application that tries again what may have been done may do it twice. */
  copies: number
}

/** What an application knows it has appended to one key. */
export class KeyLog {
  readonly key: string
  readonly #sentAt: number[] = []
  readonly #entries = new Map<number, Entry>()

  constructor(key: string) {
    this.key = key
  }

  /** The most appends that were sent in any time so long. */
  mostIn(milliseconds: number): number {
    let most = 0
    let first = 0
    for (const [index, at] of this.#sentAt.entries()) {
      while ((this.#sentAt[first] ?? at) < at - milliseconds) first += 1
      most = Math.max(most, index - first + 1)
    }
    return most
  }

  /** The application sends it, for the first time or again. */
  sent(at: number): void {
    this.#sentAt.push(at)
  }

  begun(id: number): void {
    this.#entries.set(id, { acknowledgedAt: Number.POSITIVE_INFINITY, copies: 1 })
  }

  acknowledged(id: number, at: number): void {
    const entry = this.#entries.get(id)
    if (entry !== undefined) entry.acknowledgedAt = at
  }

  /** It is sent again, though the try before may have succeeded. */
  ambiguous(id: number): void {
    const entry = this.#entries.get(id)
    if (entry !== undefined) entry.copies += 1
  }

  /** @throws Violation */
  check(read: LogRead, reader: string): void {
    const seen = new Map<number, number>()
    let last: number | undefined
    for (const id of read.ids) {
      if (last !== undefined && (read.forward ? id < last : id > last)) {
        const seen = `${reader} read ${id} of ${this.key} after ${last}`
        throw new Violation('items come in order', seen, [this.key, String(id)])
      }
      last = id
      seen.set(id, (seen.get(id) ?? 0) + 1)
    }
    for (const [id, times] of seen) {
      const entry = this.#entries.get(id)
      if (entry === undefined || id < read.from || id > read.to) {
        const text = `${reader} read ${id} of ${this.key}`
        throw new Violation('only what was asked for is read', text, [this.key, String(id)])
      }
      if (times > entry.copies) {
        const text = `${reader} read ${id} of ${this.key} ${times} times`
        throw new Violation('an append is read once', text, [this.key, String(id)])
      }
    }
    this.#checkComplete(read, seen, last, reader)
  }

  #checkComplete(read: LogRead, seen: ReadonlyMap<number, number>, last: number | undefined, reader: string) {
    for (const [id, { acknowledgedAt }] of this.#entries) {
      if (acknowledgedAt >= read.knowsUntil || seen.has(id) || id < read.from || id > read.to) continue
      const isBeyond = !read.isWhole && (last === undefined || (read.forward ? id >= last : id <= last))
      if (isBeyond) continue
      throw new Violation(
        'an acknowledged append is read',
        `${reader} did not read ${id} of ${this.key}, acknowledged ${Math.round(read.knowsUntil - acknowledgedAt)} ms before`,
        [this.key, String(id)],
      )
    }
  }
}
