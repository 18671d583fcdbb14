/**
 * Numbers the parts of worlds: parts that hold the same have the same number, so a world is known again by the numbers of its parts.
 *
 * A step changes a part or two and shares the others with the world before. JSON of whole worlds, and a hash of it, took half of the
 * time of a search. JSON leaves out what is undefined and nothing else, so two parts have the same text only if they are the same.
 */
export class Parts {
  readonly #numbers = new Map<string, number>()
  readonly #known = new WeakMap<object, number>()

  numberOf(part: object): number {
    const known = this.#known.get(part)
    if (known !== undefined) return known
    const text = JSON.stringify(part)
    const number = this.#numbers.get(text) ?? this.#numbers.size
    this.#numbers.set(text, number)
    this.#known.set(part, number)
    return number
  }
}
