import type { HotFileProgress, Rehearsal } from '@isotherm/scenarios'

/** What the thread of a strategy reports. */
export type StrategyMessage =
  | { readonly type: 'progress'; readonly progress: HotFileProgress }
  | { readonly type: 'rehearsed'; readonly rehearsal: Rehearsal }
