import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Difference } from './judgement/exception.js'
import { withRun } from './run-table.js'

const DOCUMENT =
  'Before\n<!-- runs: written by `npm run differential -- --record`, not by hand -->\n<!-- end of runs -->\nAfter\n'
const DIFFERENCE: Difference = {
  step: { operation: 'GetItem', request: {} },
  ours: { status: 200, body: {} },
  theirs: { status: 400, error: 'ValidationException', message: '', members: {} },
}
const run = (seed: number, equal: number, unexplained: readonly Difference[] = []) => ({
  seed,
  date: '2026-11-24',
  findings: { compared: 100_000, equal, unexplained },
})
const rowsOf = (document: string) => document.split('\n').filter((line) => /^\| [*\d]/.test(line))

describe('the recorded runs', () => {
  it('are rows in the order of their seeds, with their sums', () => {
    const document = withRun(withRun(DOCUMENT, run(100_001, 70_000, [DIFFERENCE])), run(1, 71_000))
    expect(rowsOf(document)).toEqual([
      '| 1 | 100,000 | 71,000 | 29,000 | 0 | 2026-11-24 |',
      '| 100,001 | 100,000 | 70,000 | 29,999 | 1 | 2026-11-24 |',
      '| **all** | 200,000 | 141,000 | 58,999 | 1 | |',
    ])
    expect(document.startsWith('Before\n')).toBe(true)
    expect(document.endsWith('\nAfter\n')).toBe(true)
  })

  it('replace an earlier run of the same seed', () => {
    const document = withRun(withRun(DOCUMENT, run(1, 70_000)), run(1, 71_000))
    expect(rowsOf(document)).toHaveLength(2)
    expect(document).toContain('| 1 | 100,000 | 71,000 |')
  })

  it('have a place in docs/differential.md', () => {
    const document = readFileSync(new URL('../../../docs/differential.md', import.meta.url), 'utf8')
    expect(withRun(document, run(1, 71_000))).toContain('| 1 | 100,000 | 71,000 | 29,000 | 0 | 2026-11-24 |')
  })
})
