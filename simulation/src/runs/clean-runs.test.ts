import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noCoverageYet } from '../world/coverage.js'
import { noFaultsYet } from '../world/faults.js'
import { CleanRunsRecorder, nextSeed, readRecord, refuseRecorded, totalsOf } from './clean-runs.js'
import { recordTable } from './record-table.js'
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
      histories: { followed: 4, givenUp: 1, answered: 50, unchecked: 2 },
      faults: { ...noFaultsYet(), crashes: 3 },
      coverage: { ...noCoverageYet(), 'a drain ends': 2 },
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
    expect(totalsOf(record, 'abc')).toHaveLength(1)
    expect(totalsOf(record, 'abc')[0]).toMatchObject({
      secondsOfLoad: 20,
      seeds: 260,
      requests: 260_000,
      transactions: 2_600,
      histories: { followed: 1_040, givenUp: 260, answered: 13_000, unchecked: 520 },
      faults: { crashes: 780, pauses: 0 },
      coverage: { 'a drain ends': 260, 'a change settles': 0 },
      cpuMilliseconds: 26_000,
    })
  })

  it('begins anew for another library, and for another time', () => {
    const recorder = new CleanRunsRecorder(path, RUNS)
    recorder.add(outcomeOf(1))
    recorder.end()
    expect(nextSeed(readRecord(path), { library: 'def', seconds: 20 })).toBe(1)
    expect(nextSeed(readRecord(path), { library: 'abc', seconds: 60 })).toBe(1)
    expect(totalsOf(readRecord(path), 'def')).toEqual([])
  })

  it('has no seed behind one that has not ended, and none from one on that broke something', () => {
    const recorder = new CleanRunsRecorder(path, RUNS)
    for (const seed of [2, 3, 1, 5]) recorder.add(outcomeOf(seed))
    recorder.end()
    expect(nextSeed(readRecord(path), RUNS)).toBe(4)
    recorder.add(outcomeOf(4, 'an item has one copy'))
    recorder.end()
    expect(totalsOf(readRecord(path), 'abc')[0]?.seeds).toBe(3)
  })

  it('adds up lines that are older than what is counted of histories', () => {
    const recorder = new CleanRunsRecorder(path, RUNS)
    recorder.add(outcomeOf(1))
    recorder.end()
    const [line] = readRecord(path)
    const before = { ...line?.totals, histories: { followed: 4, givenUp: 1 } }
    writeFileSync(path, `${JSON.stringify({ ...line, totals: before })}\n`)
    const [sum] = totalsOf(readRecord(path), 'abc')
    expect(sum?.histories).toEqual({ followed: 4, givenUp: 1, answered: 0, unchecked: 0 })
  })

  it('counts no seed twice', () => {
    const recorder = new CleanRunsRecorder(path, RUNS)
    for (const seed of [1, 2, 3]) recorder.add(outcomeOf(seed))
    recorder.end()
    const record = readRecord(path)
    const { library, seconds } = RUNS
    expect(() => refuseRecorded(record, { library, seconds, from: 4, seeds: 10 })).not.toThrow()
    expect(() => refuseRecorded(record, { library, seconds: 60, from: 1, seeds: 10 })).not.toThrow()
    expect(() => refuseRecorded(record, { library: 'def', seconds, from: 1, seeds: 10 })).not.toThrow()
    for (const from of [0, 1, 3]) {
      expect(() => refuseRecorded(record, { library, seconds, from, seeds: 2 })).toThrow(
        `--from is '${from}', and the seeds 1 to 3 are in the record already, with this library and 20 s of load; leave --from out, or say 4.`,
      )
    }
  })

  it('has a column for each number of seconds of load', () => {
    for (const seconds of [120, 20]) {
      const recorder = new CleanRunsRecorder(path, { ...RUNS, seconds })
      for (let seed = 1; seed <= 1_800 / seconds; seed++) recorder.add(outcomeOf(seed))
      recorder.end()
    }
    const table = recordTable(readRecord(path), 'abc')
    expect(table.slice(0, 5)).toEqual([
      '| library abc | 20 s of load each | 120 s of load each |',
      '|---|--:|--:|',
      '| seeds | 90 | 15 |',
      '| hours of load | 0.5 | 0.5 |',
      '| simulated hours | 2 | 0.3 |',
    ])
  })

  it('is not made of something else', () => {
    writeFileSync(path, '{}\nnothing\n')
    expect(() => readRecord(path)).toThrow('it must be a record of clean runs, and line 2 is none.')
  })
})
