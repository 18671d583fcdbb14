import { describe, expect, it } from 'vitest'
import { LIBRARY as library } from '../../world/library.js'
import { type Request, runRequest, settingsOf } from '../request.js'
import { drawnSettings, WORKLOADS } from '../settings.js'
import { NO_ADJUSTMENTS } from '../switches.js'
import { MODE_NAMES, type ModeName } from './mode.js'
import { inMode, MODES, withDrawnMode } from './modes.js'

const SECONDS = 10

/** Fleets of hundreds of processes take seconds, and the long tests have them. */
const QUICK = MODE_NAMES.filter((name) => name !== 'tiny-processes')

function requestOf(seed: number, mode: ModeName | 'none' | undefined): Request {
  return { seed, seconds: SECONDS, workloads: WORKLOADS, adjustments: { ...NO_ADJUSTMENTS, mode } }
}

describe('a mode', () => {
  it('is drawn for some seeds, and leaves all that is drawn for the others as it is', () => {
    const seeds = Array.from({ length: 1_000 }, (_, seed) => seed)
    const drawn = seeds.map((seed) => drawnSettings(seed, SECONDS * 1_000, WORKLOADS))
    const modes = drawn.map((settings) => withDrawnMode(settings).mode)
    expect(new Set(modes)).toEqual(new Set([undefined, ...MODE_NAMES]))
    const share = modes.filter((mode) => mode !== undefined).length / seeds.length
    expect(share).toBeGreaterThan(0.05)
    expect(share).toBeLessThan(0.2)
    for (const [seed, mode] of modes.entries()) {
      if (mode !== undefined) continue
      expect(settingsOf(requestOf(seed, undefined))).toEqual(settingsOf(requestOf(seed, 'none')))
    }
  })

  it.each(MODE_NAMES)('changes a run of its workloads, each time in the same way: %s', (mode) => {
    const [workload] = MODES[mode].workloads
    if (workload === undefined) return expect.fail('A mode has a workload.')
    const settings = drawnSettings(1, SECONDS * 1_000, [workload])
    expect(inMode(settings, mode)).not.toEqual({ ...settings, mode })
    expect(inMode(settings, mode)).toEqual(inMode(settings, mode))
    expect(settingsOf(requestOf(1, mode)).workload).toBeOneOf([...MODES[mode].workloads])
  })

  it.each(QUICK)('holds what it promises: %s', async (mode) => {
    for (let seed = 1; seed <= 2; seed++) {
      const { violation } = await runRequest(library, requestOf(seed, mode))
      expect(violation?.message).toBeUndefined()
    }
  })
})
