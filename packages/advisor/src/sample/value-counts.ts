import { type AttributeValue, bytesAsText } from '@isotherm/semantics'

/** A value of an attribute, and what the items with it have in common. */
export interface ValueCount {
  readonly value: AttributeValue
  items: number
  /** Bytes of these items. */
  bytes: number
}

/** More distinct values are not counted one by one. A value that is frequent occurs before. */
const MAX_VALUES = 200_000

/** How often each value of an attribute occurs. */
export class ValueCounts {
  readonly #counts = new Map<string, ValueCount>()

  get distinct(): number {
    return this.#counts.size
  }

  add(value: AttributeValue, bytes: number): void {
    const name = 'B' in value ? `B${bytesAsText(value.B)}` : JSON.stringify(value)
    const known = this.#counts.get(name)
    if (known !== undefined) {
      known.items++
      known.bytes += bytes
    } else if (this.#counts.size < MAX_VALUES) this.#counts.set(name, { value, items: 1, bytes })
  }

  top(count: number): readonly ValueCount[] {
    return [...this.#counts.values()].sort((a, b) => b.items - a.items).slice(0, count)
  }
}
