import { describe, expect, it } from 'vitest'
import { JoinedProgress } from './joined-progress.js'
import type { HotFilePhase, HotFileProgress, StrategyProgress } from './progress.js'

function at(elapsedSeconds: number, strategy: string, phase: HotFilePhase = 'hold'): HotFileProgress {
  const strategies = [{ strategy, shards: elapsedSeconds } as unknown as StrategyProgress]
  return { phase, viralPath: '/favicon.ico', elapsedSeconds, totalSeconds: 60, strategies }
}

function progressOf(...names: readonly ('one-key' | 'fixed')[]) {
  const seen: string[] = []
  const joined = new JoinedProgress(names, ({ phase, elapsedSeconds, strategies }) => {
    const each = strategies.map(({ strategy, shards }) => `${strategy} at ${shards}`)
    seen.push(`${phase} ${elapsedSeconds}: ${each.join(', ')}`)
  })
  return { joined, seen }
}

describe('the progress of strategies that are run apart', () => {
  it('is where the slowest one is, and shows all of them at that time, in their order', () => {
    const { joined, seen } = progressOf('one-key', 'fixed')
    joined.made('fixed', at(1, 'fixed'))
    joined.made('fixed', at(2, 'fixed'))
    expect(seen).toEqual([])
    joined.made('one-key', at(1, 'one-key'))
    joined.made('fixed', at(3, 'fixed'))
    joined.made('one-key', at(2, 'one-key'))
    expect(seen).toEqual(['hold 1: one-key at 1, fixed at 1', 'hold 2: one-key at 2, fixed at 2'])
  })

  it('reads back when all of them do', () => {
    const { joined, seen } = progressOf('one-key', 'fixed')
    joined.made('one-key', at(60, 'one-key'))
    joined.made('one-key', at(60, 'one-key', 'read-back'))
    joined.made('fixed', at(60, 'fixed'))
    expect(seen).toEqual(['hold 60: one-key at 60, fixed at 60'])
    joined.made('fixed', at(60, 'fixed', 'read-back'))
    expect(seen.slice(1)).toEqual(['read-back 60: one-key at 60, fixed at 60'])
  })

  it('is its own where there is only one', () => {
    const { joined, seen } = progressOf('fixed')
    joined.made('fixed', at(1, 'fixed'))
    joined.made('fixed', at(60, 'fixed', 'read-back'))
    expect(seen).toEqual(['hold 1: fixed at 1', 'read-back 60: fixed at 60'])
  })
})
