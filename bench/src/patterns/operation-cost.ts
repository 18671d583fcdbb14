import type { Cost } from './pattern-world.js'

/** What an operation costs on average. */
export interface OperationCost {
  readonly operation: string
  readonly cost: Cost
}
