import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import type { LogicalKey } from '../keys/key.js'
import { CoolShards } from './cool-shards.js'

const key = { S: 'k' } as LogicalKey
const other = { S: 'o' } as LogicalKey

function setUp(seed = 1) {
  const clock = new VirtualClock()
  const shards = new CoolShards({ random: new SeededRandom(seed), clock })
  const shares = (of: LogicalKey, count: number, draws = 20_000) => {
    const drawn = new Array<number>(count).fill(0)
    for (let draw = 0; draw < draws; draw++) {
      const at = shards.pick(of, count) - 1
      drawn[at] = (drawn[at] ?? 0) + 1 / draws
    }
    return drawn
  }
  return { clock, shards, shares }
}

describe('the shards of a key', () => {
  it('get even shares while none is refused', () => {
    for (const share of setUp().shares(key, 8)) expect(share).toBeCloseTo(1 / 8, 1.5)
  })

  it('get less after refusals, and the other keys do not', () => {
    const { shards, shares } = setUp()
    shards.refused(key, 8, 3)
    expect(shares(key, 8)[2]).toBeLessThan(0.03)
    expect(shares(other, 8)[2]).toBeGreaterThan(0.1)
  })

  it('get their share back by success', () => {
    const { shards, shares } = setUp()
    shards.refused(key, 4, 1)
    for (let written = 0; written < 75; written++) shards.accepted(key, 1)
    expect(shares(key, 4)[0]).toBeGreaterThan(0.22)
  })

  it('are alike again under another count, and a minute after the last refusal', () => {
    const { clock, shards, shares } = setUp()
    for (let times = 0; times < 50; times++) shards.refused(key, 4, 1)
    expect(shares(key, 5)[0]).toBeGreaterThan(0.18)
    clock.advance(60_001)
    expect(shares(key, 4)[0]).toBeGreaterThan(0.22)
  })

  it('share two partitions evenly when three of four shards are on the first', () => {
    const { shards } = setUp()
    const written = [0, 0]
    const rounds = 4_000
    for (let round = 0; round < rounds; round++) {
      // Each partition takes one of two writes a round: together they take all.
      const left = [1, 1]
      for (let write = 0; write < 2; write++) {
        const shard = shards.pick(key, 4)
        const partition = shard === 4 ? 1 : 0
        if ((left[partition] ?? 0) > 0) {
          left[partition] = (left[partition] ?? 0) - 1
          written[partition] = (written[partition] ?? 0) + 1
          shards.accepted(key, shard)
        } else shards.refused(key, 4, shard)
      }
    }
    // At random, the second partition would get a quarter of the writes: 44 % of the rounds.
    expect((written[1] ?? 0) / rounds).toBeGreaterThan(0.6)
  })
})
