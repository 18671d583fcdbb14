/** A guarantee that did not hold: which, and what was seen. */
export class Violation extends Error {
  override readonly name = 'Violation'
  /** In few words, the same for every violation of the same guarantee. */
  readonly rule: string
  /** What a line of the trace has to name to be about it: the logical key, and what else there is. */
  readonly about: readonly string[]

  constructor(rule: string, seen: string, about: readonly string[] = []) {
    super(`${rule}: ${seen}`)
    this.rule = rule
    this.about = about
  }
}
