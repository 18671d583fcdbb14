/** An item of an imported object, or the reason why there is none. */
export interface ImportEntry {
  /** The line of the object where it begins, from 1. */
  readonly line: number
  /** In the form of a request, not checked yet. */
  readonly item: unknown
  readonly error: string | undefined
}

/** An object of which the rest cannot be read. It counts as one error, and the next object is read. */
export class UnreadableObject extends Error {
  override readonly name = 'UnreadableObject'
}
