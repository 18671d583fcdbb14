import type { ModeName } from '../runs/modes/mode.js'
import type { Settings, WorkloadName } from '../runs/settings.js'
import type { MarkedKind } from './marked-code.js'

/** A bug, planted into a copy of the library: other code in the place of what is marked in its source. */
export interface Mutant {
  readonly name: string
  /** As in the source: `// mark: driver-waits`. */
  readonly mark: string
  /** What is replaced of the code behind the mark. */
  readonly kind: MarkedKind
  /** TypeScript. `$&` stands for what it replaces. */
  readonly becomes: string
  /** Within so many seeds it must be found. */
  readonly seeds: number
  /** Where it shows. */
  readonly workloads: readonly WorkloadName[]
  /** What the world does besides, without which it does not show. */
  readonly mode?: ModeName
  /** Settings of runs that are made for it; as drawn by default. */
  readonly settings?: (drawn: Settings) => Settings
}
