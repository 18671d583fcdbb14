import type { Feature } from '../engines/engine.js'
import type { Laboratory } from '../laboratory/laboratory.js'

/** One sentence that holds on every engine. */
export interface Guarantee {
  readonly sentence: string
  /** The features of the engine that it needs. */
  readonly needs?: readonly Feature[]
  holds(lab: Laboratory): Promise<void>
}

/** Guarantees about one subject, in one file. */
export interface Guarantees {
  readonly subject: string
  readonly file: string
  readonly all: readonly Guarantee[]
}
