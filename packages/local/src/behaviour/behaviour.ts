/** What a behaviour rests on: AWS says it, others measured it on the service, or it follows from what either says. */
export type Basis = 'documented' | 'measured' | 'inferred'

/** One published fact about partitions and capacity, and the proof that the engine behaves so. */
export interface Behaviour {
  /** A sentence that goes on from the name of its group. */
  readonly fact: string
  readonly basis: Basis
  /** A page, or who measured it. */
  readonly source: string
  /** Fails when the engine behaves otherwise. */
  show(): void | Promise<void>
}

export interface BehaviourGroup {
  readonly subject: string
  readonly behaviours: readonly Behaviour[]
}
