import type { Settings, WorkloadName } from '../runs/settings.js'

/** A bug, planted into a copy of the compiled library. */
export interface Mutant {
  readonly name: string
  /** In the library's `dist`. */
  readonly file: string
  /** What is there, once. */
  readonly text: string
  readonly replacement: string
  /** Within so many seeds it must be found. */
  readonly seeds: number
  /** Where it shows. */
  readonly workloads: readonly WorkloadName[]
  /** What runs are made of that are made for it; as drawn by default. */
  readonly settings?: (drawn: Settings) => Settings
}
