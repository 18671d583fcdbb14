import type { Journeys } from './journey.js'
import type { Process, ProcessOptions } from './process.js'

/** What happens to a process. */
export type Happening =
  | { readonly kind: 'spawn'; readonly options: ProcessOptions }
  | { readonly kind: 'crash' }
  | { readonly kind: 'pause' | 'jump'; readonly milliseconds: number }

/** Writes down what happens in a world, so that it can be made to happen again. */
export interface WorldRecorder {
  /** @param elapsed milliseconds since the load began */
  begin(elapsed: () => number): void
  spawned(options: ProcessOptions): void
  happened(process: Process, happening: Happening): void
  recorded(journeys: Journeys): Journeys
}
