import { describe, expect, it } from 'vitest'
import type { EngineRecord, EngineRun } from './engine-record.js'
import { engineTables } from './engine-tables.js'

const record = (contestant: string, requestsPerSecond: number): EngineRecord => ({
  contestant,
  operation: 'PutItem',
  connections: 32,
  rounds: [
    { requestsPerSecond, p50: 1, p99: 2, processorMicroseconds: 1e6 / requestsPerSecond, generatorBusy: 0.3 },
  ],
})

const RUN: EngineRun = {
  run: { processors: '2 × any', node: '20.0.0', loadBefore: 7, rounds: 1, seconds: 1, items: 100 },
  contestants: [
    { name: 'bare node:http', kind: 'server', about: 'a server', megabytes: 40 },
    { name: 'engine, in memory', kind: 'server', about: 'createLocal()', megabytes: 80 },
    { name: 'dynalite', kind: 'server', missing: 'It is not installed here.' },
  ],
  records: [record('bare node:http', 1_000), record('engine, in memory', 800)],
}

describe('the tables of the engine', () => {
  const text = engineTables(RUN)

  it('compare every contestant with the bare server', () => {
    expect(text).toContain('| PutItem | 1,000 | 800 |')
    expect(text).toContain('| PutItem | 100 %; 100 % | 80 %; 80 % |')
  })

  it('name a contestant that is missing, and how to get it', () => {
    expect(text).toContain('**dynalite is missing.** It is not installed here.')
  })

  it('say that the machine had other work', () => {
    expect(text).toContain('The machine had other work')
    expect(engineTables({ ...RUN, run: { ...RUN.run, loadBefore: 0.1 } })).toContain('The machine was idle.')
  })

  it('say whether an aim is met', () => {
    expect(text).toContain(
      '| PutItem in memory: 90 % of bare node:http | 80 %, 80 % by processor time | **no** |',
    )
  })
})
