import type { UnexplainedItem } from './unexplained-items.js'

/** The progress of `rebuildShardMap`. */
export interface RebuildProgress {
  /** `table`: the items of the table are being read. `keys`: the counts of calculated keys are being found. */
  readonly pass: 'table' | 'keys'
  /** The number of items read in this pass. */
  readonly items: number
  /** The number of logical keys found that need an item in the shard map. */
  readonly keys: number
}

/** The result of `rebuildShardMap`. */
export interface RebuildReport {
  readonly table: string
  readonly shardMap: string
  /** Whether the shard map can be used. `false` for a dry run, and if there are unexplained items. */
  readonly isRebuilt: boolean
  /** The number of items read, since the rebuild was begun or resumed. */
  readonly items: number
  /** The number of logical keys with a count of their own, of which `unfinished` are in a change of the count. */
  readonly keys: number
  readonly unfinished: number
  /** The number of values of sharded indexes with a count of their own. */
  readonly indexValues: number
  /** The highest count of any key. */
  readonly highestCount: number
  /** The number of items that no count of their key explains, and the first of them, up to 20. */
  readonly unexplained: number
  readonly examples: readonly UnexplainedItem[]
}
