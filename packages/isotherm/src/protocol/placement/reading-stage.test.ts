import { describe, expect, it } from 'vitest'
import { fixedView, type ShardView } from '../states/shard-view.js'
import { readingStage } from './reading-stage.js'

function stagesOf(moves: ShardView['moves'], shards: readonly number[]): readonly number[] {
  return shards.map((shard) => readingStage({ ...fixedView(4), moves }, shard))
}

describe('the stage in which a shard is read', () => {
  it('is the first one where nothing moves', () => {
    expect(stagesOf(undefined, [1, 4, 9])).toEqual([0, 0, 0])
  })

  it('is the first one for the old shards of a calculated key that grows, and the second for its new shards', () => {
    expect(stagesOf({ kind: 'change', from: 2, to: 4 }, [1, 2, 3, 4])).toEqual([0, 0, 1, 1])
  })

  it('is the first one for the shards that a calculated key loses, and the second for those that it keeps', () => {
    expect(stagesOf({ kind: 'change', from: 4, to: 2 }, [4, 3, 2, 1])).toEqual([0, 0, 1, 1])
  })

  it('is the second one for all shards of a change that takes none and adds none', () => {
    expect(stagesOf({ kind: 'change', from: 2, to: 2 }, [1, 2])).toEqual([1, 1])
  })

  it('is one later for each count of a random key that the shard is below', () => {
    expect(stagesOf({ kind: 'drain', below: [4, 2] }, [6, 5, 4, 3, 2, 1])).toEqual([0, 0, 1, 1, 2, 2])
  })
})
