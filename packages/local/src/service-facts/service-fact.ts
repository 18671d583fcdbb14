/** One published observation of the service, with a test that the engine answers the same. */
interface ServiceFact {
  /** A short name that stays the same. */
  readonly id: string
  /** What the service does, as a sentence. */
  readonly fact: string
  /** Where the observation is published: a test of the public suite that the page names, or a page. */
  readonly source: string
  /** Fails when the engine answers differently. */
  show(): void | Promise<void>
}

export interface ServiceFactGroup {
  readonly subject: string
  /** The name of the file, without its ending. */
  readonly file: string
  readonly facts: readonly ServiceFact[]
}
