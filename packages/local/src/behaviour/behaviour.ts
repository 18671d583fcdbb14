/** The evidence for a behaviour: AWS documents it, others measured it on the service, or it follows from either. */
export type Basis = 'documented' | 'measured' | 'inferred'

/** One published fact about partitions and capacity, with a test that the engine behaves accordingly. */
export interface Behaviour {
  /** The end of a sentence that begins with the subject of its group. */
  readonly fact: string
  readonly basis: Basis
  /** The page, or the author of the measurement. */
  readonly source: string
  /** Fails when the engine behaves differently. */
  show(): void | Promise<void>
}

export interface BehaviourGroup {
  readonly subject: string
  readonly behaviours: readonly Behaviour[]
}
