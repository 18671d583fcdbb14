import type { HotFileProgress, StrategyProgress } from '@isotherm/scenarios'
import { describe, expect, it } from 'vitest'
import { progressLine, progressScreen } from './progress-text.js'

const strategy: StrategyProgress = {
  strategy: 'dynamic',
  title: 'dynamic, from 1',
  offeredPerSecond: 2_000,
  acceptedPerSecond: 1_990,
  throttledPerSecond: 12,
  shards: 3,
  offeredBySecond: [0, 1_000, 2_000],
  acceptedBySecond: [0, 1_000, 1_990],
}

const progress: HotFileProgress = {
  phase: 'ramp',
  viralPath: '/a\u001B[2Jb',
  elapsedSeconds: 15.25,
  totalSeconds: 60,
  strategies: [strategy, { ...strategy, strategy: 'fixed', title: 'fixed, 10 shards' }],
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the terminal are control characters
const plain = (text: string) => text.replace(/\u001B\[\d+m/g, '')

describe('the live display', () => {
  it('has a bar, the file and a row for each strategy', () => {
    const lines = plain(progressScreen(progress, 120)).split('\n')
    expect(lines[1]).toContain('15 of 60 s')
    expect(lines[1]?.match(/█/g)).toHaveLength(10)
    expect(lines.find((line) => line.includes('dynamic, from 1'))).toMatch(/2,000 +1,990 +12 +3 +▁▅█$/)
    expect(lines.filter((line) => line.includes('1,990'))).toHaveLength(2)
  })

  it('fits a terminal of 80 columns', () => {
    const lines = plain(progressScreen(progress, 80)).split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  it('shows a path of a log without what a terminal would obey', () => {
    expect(plain(progressScreen(progress, 120))).toContain('/a\uFFFD[2Jb')
  })
})

describe('a line of progress', () => {
  it('names time, offer and each strategy', () => {
    expect(progressLine(progress)).toBe(
      '15 of 60 s, 2,000 writes/s offered | dynamic, from 1 1,990 accepted, 12 throttled, 3 sh. | fixed, 10 shards 1,990 accepted, 12 throttled, 3 sh.',
    )
  })
})
