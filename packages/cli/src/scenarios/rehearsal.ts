import type { ScenarioProgress, ScenarioResult, ScenarioValues } from '@isotherm/scenarios'

/** What a thread is to run. */
export interface Rehearsal {
  readonly scenario: string
  readonly parameters: ScenarioValues
}

/** What a thread reports. */
export type RehearsalMessage =
  | { readonly type: 'progress'; readonly progress: ScenarioProgress }
  | { readonly type: 'result'; readonly result: ScenarioResult }
  | { readonly type: 'failure'; readonly message: string }
