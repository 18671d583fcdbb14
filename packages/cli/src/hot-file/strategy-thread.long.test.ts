import {
  DEFAULT_SHARDING,
  DEFAULT_WORKLOAD,
  type HotFileProgress,
  type HotFileSettings,
  readAccessLog,
  rehearseHotFile,
  STRATEGIES,
  sampleLogPath,
} from '@isotherm/scenarios'
import { describe, expect, it } from 'vitest'
import { rehearseInStrategyThread } from './strategy-thread.js'

const settings: HotFileSettings = {
  log: readAccessLog(sampleLogPath),
  workload: {
    ...DEFAULT_WORKLOAD,
    calmSeconds: 1,
    rampSeconds: 1,
    holdSeconds: 2,
    baseWritesPerSecond: 10,
    viralWritesPerSecond: 60,
  },
  sharding: DEFAULT_SHARDING,
  strategies: STRATEGIES,
  seed: 7,
  tablePrefix: 'test_',
}

/** As they are compiled: a thread runs what is built. */
describe('strategies in threads', () => {
  it('have the figures that they have in one thread, and show their progress', async () => {
    const seen: HotFileProgress[] = []
    const watch = { onProgress: (progress: HotFileProgress) => seen.push(progress) }
    const { report, statistics } = await rehearseHotFile(settings, watch, rehearseInStrategyThread)
    const alone = await rehearseHotFile(settings)
    expect(report).toEqual(alone.report)
    expect(statistics.requests).toBe(alone.statistics.requests)
    expect(seen.at(-1)).toMatchObject({ phase: 'read-back', elapsedSeconds: 4 })
    expect(seen.at(-1)?.strategies.map(({ strategy }) => strategy)).toEqual(STRATEGIES)
  })

  it('end when they are aborted', async () => {
    const stop = new AbortController()
    const run = rehearseHotFile(settings, { signal: stop.signal }, rehearseInStrategyThread)
    stop.abort(new Error('enough'))
    await expect(run).rejects.toThrow('enough')
  })

  it('refuse settings before a thread is started', async () => {
    const wrong = { ...settings, viralPath: '/nowhere' }
    await expect(rehearseHotFile(wrong, {}, rehearseInStrategyThread)).rejects.toMatchObject({
      code: 'workload.unknown-path',
    })
  })
})
