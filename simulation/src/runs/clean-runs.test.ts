import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noFaultsYet } from '../world/faults.js'
import { CleanRunsRecorder, nextSeed, readRecord, totalsOf } from './clean-runs.js'
import type { Outcome } from './seed-processes.js'
import { WORKLOADS } from './settings.js'
import { NO_ADJUSTMENTS } from './switches.js'

const RUNS = { library: 'abc', seconds: 20, from: 1 }

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'isotherm-record-'))
  path = join(folder, 'record.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

function outcomeOf(seed: number, brokenRule?: string): Outcome {
  return {
    request: { seed, seconds: 20, workloads: WORKLOADS, adjustments: NO_ADJUSTMENTS },
    tally: {
      hash: '',
      simulatedMilliseconds: 80_000,
      requests: 1_000,
      transactions: 10,
      countChanges: 2,
      histories: { followed: 4, givenUp: 1 },
      faults: { ...noFaultsYet(), crashes: 3 },
    },
    brokenRule,
    cpuMilliseconds: 100,
  }
}

describe('a record of clean runs', () => {
  it('tells where to go on, and what all came to', () => {
    const recorder = new CleanRunsRecorder(path, RUNS)
    for (let seed = 1; seed <= 260; seed++) recorder.add(outcomeOf(seed))
    expect(nextSeed(readRecord(path), RUNS)).toBe(251)
    recorder.end()
    const record = readRecord(path)
    expect(nextSeed(record, RUNS)).toBe(261)
    expect(totalsOf(record, 'abc')).toMatchObject({
      seeds: 260,
      requests: 260_000,
      transactions: 2_600,
      histories: { followed: 1_040, givenUp: 260 },
      faults: { crashes: 780, pauses: 0 },
      cpuMilliseconds: 26_000,
    })
  })

  it('begins anew for another library, and for another time', () => {
    const recorder = new CleanRunsRecorder(path, RUNS)
    recorder.add(outcomeOf(1))
    recorder.end()
    expect(nextSeed(readRecord(path), { library: 'def', seconds: 20 })).toBe(1)
    expect(nextSeed(readRecord(path), { library: 'abc', seconds: 60 })).toBe(1)
    expect(totalsOf(readRecord(path), 'def').seeds).toBe(0)
  })

  it('has no seed behind one that has not ended, and none from one on that broke something', () => {
    const recorder = new CleanRunsRecorder(path, RUNS)
    for (const seed of [2, 3, 1, 5]) recorder.add(outcomeOf(seed))
    recorder.end()
    expect(nextSeed(readRecord(path), RUNS)).toBe(4)
    recorder.add(outcomeOf(4, 'an item has one copy'))
    recorder.end()
    expect(totalsOf(readRecord(path), 'abc').seeds).toBe(3)
  })
})
