/** Elements that have left are removed from the array when there are at least this many, and more than have stayed. */
const COMPACTED_AT = 1_024

/** First in, first out. `Array.shift` moves all other elements, which takes too long with tens of thousands of them. */
export class Fifo<T> {
  #elements: T[] = []
  #head = 0

  get isEmpty(): boolean {
    return this.#head === this.#elements.length
  }

  get first(): T | undefined {
    return this.#elements[this.#head]
  }

  get last(): T | undefined {
    return this.isEmpty ? undefined : this.#elements.at(-1)
  }

  push(element: T): void {
    this.#elements.push(element)
  }

  shift(): T | undefined {
    if (this.isEmpty) return undefined
    const first = this.#elements[this.#head++]
    if (this.#head >= COMPACTED_AT && this.#head * 2 > this.#elements.length) {
      this.#elements = this.#elements.slice(this.#head)
      this.#head = 0
    }
    return first
  }
}
