import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { OPERATIONS } from '../operations/operations.js'
import { type FuzzRun, withFuzzRun } from './fuzz-section.js'

const RUN: FuzzRun = {
  requests: 1_000_000,
  statuses: new Map([
    [400, 200_000],
    [200, 800_000],
  ]),
  succeeded: new Map(
    [...OPERATIONS.keys()].map((operation) => [operation, operation === 'Scan' ? 0 : 3_000]),
  ),
  faults: [],
  seed: 7,
  connections: 16,
  date: '2026-11-24',
}

it('writes the figures of a run into the document', () => {
  const document = readFileSync(new URL('../../../../docs/engine-details.md', import.meta.url), 'utf8')
  const written = withFuzzRun(document, RUN)
  expect(written).toContain(`
| date, seed, connections | 2026-11-24, 7, 16 |
| requests | 1,000,000 |
| faults | 0 |
| responses with status 200 | 800,000 |
| responses with status 400 | 200,000 |
| operations of which requests succeeded | ${OPERATIONS.size - 1} of ${OPERATIONS.size} |
| successes of the rarest operation | 0 |
`)
  expect(withFuzzRun(written, RUN)).toBe(written)
})
