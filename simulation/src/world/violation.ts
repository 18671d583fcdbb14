/** A guarantee that did not hold: which, and what was seen. */
export class Violation extends Error {
  override readonly name = 'Violation'
  /** In few words, the same for every violation of the same guarantee. */
  readonly rule: string

  constructor(rule: string, seen: string) {
    super(`${rule}: ${seen}`)
    this.rule = rule
  }
}
