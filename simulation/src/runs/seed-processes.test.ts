import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { LIBRARY as library } from '../world/library.js'
import { type Request, runRequest } from './request.js'
import { type Outcome, runSeeds } from './seed-processes.js'
import { NO_ADJUSTMENTS } from './switches.js'

/** As it was compiled: Node does not start from the sources. */
const ENTRY = new URL('../../dist/runs/seed-process.js', import.meta.url)

function requestOf(seed: number): Request {
  return { seed, seconds: 5, workloads: ['counters', 'steady-zipf'], adjustments: NO_ADJUSTMENTS }
}

describe('processes that share seeds', () => {
  it('run each of them once, with the history that it has anywhere', async () => {
    const seeds = [1, 2, 3]
    const waiting = [...seeds]
    const outcomes: Outcome[] = []
    await runSeeds({
      jobs: 2,
      entry: ENTRY,
      next: () => {
        const seed = waiting.shift()
        return seed === undefined ? undefined : requestOf(seed)
      },
      onOutcome: (outcome) => outcomes.push(outcome),
    })
    outcomes.sort((a, b) => a.request.seed - b.request.seed)
    const hashes = []
    for (const seed of seeds) hashes.push((await runRequest(library, requestOf(seed))).hash)
    expect(outcomes.map(({ tally }) => tally.hash)).toEqual(hashes)
    expect(outcomes.map(({ brokenRule }) => brokenRule)).toEqual(seeds.map(() => undefined))
  })

  it('are not waited for when no run is wanted', async () => {
    await runSeeds({ jobs: 1, entry: ENTRY, next: () => undefined, onOutcome: () => {} })
  })

  it('tell when one of them cannot go on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'isotherm-seed-processes-'))
    try {
      const entry = pathToFileURL(join(folder, 'ends-at-once.cjs'))
      writeFileSync(entry, 'process.exit(1)')
      const work = runSeeds({ jobs: 1, entry, next: () => requestOf(1), onOutcome: () => {} })
      await expect(work).rejects.toThrow('ended with code 1')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
