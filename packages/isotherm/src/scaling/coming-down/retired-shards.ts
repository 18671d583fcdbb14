import { readableShards, type ShardState } from '../../protocol/index.js'

/** The shards that readers would no longer ask with a lower count. */
export function retiredShards(state: ShardState, to: number): readonly number[] {
  return Array.from({ length: readableShards(state) - to }, (_, index) => to + 1 + index)
}
