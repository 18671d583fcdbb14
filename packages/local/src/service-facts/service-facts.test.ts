import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { KEYS_AND_BATCHES } from './keys-and-batches.js'
import { LIMITS } from './limits.js'
import { NUMBERS_AND_SETS } from './numbers-and-sets.js'
import { REQUEST_VALIDATION } from './request-validation.js'
import type { ServiceFactGroup } from './service-fact.js'
import { STATEMENTS } from './statements.js'

const GROUPS: readonly ServiceFactGroup[] = [
  REQUEST_VALIDATION,
  NUMBERS_AND_SETS,
  LIMITS,
  KEYS_AND_BATCHES,
  STATEMENTS,
]

for (const { subject, facts } of GROUPS) {
  describe(subject, () => {
    for (const { id, fact, show } of facts) it(`${id}: ${fact}`, show)
  })
}

describe('docs/service-facts.md', () => {
  it('lists all facts with their tests; npm run facts writes it', async () => {
    const file = fileURLToPath(new URL('../../../../docs/service-facts.md', import.meta.url))
    await expect(page()).toMatchFileSnapshot(file)
  })

  it('gives each fact its own name', () => {
    const ids = GROUPS.flatMap(({ facts }) => facts.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
  })
})

function page(): string {
  const count = GROUPS.reduce((sum, { facts }) => sum + facts.length, 0)
  const tables = GROUPS.map(({ subject, file, facts }) =>
    [
      `## ${subject}`,
      '',
      `Tests: [${file}.ts](../packages/local/src/service-facts/${file}.ts)`,
      '',
      '| test | what the service does | source |',
      '|---|---|---|',
      ...facts.map(({ id, fact, source }) => `| ${id} | ${fact.replaceAll('|', '\\|')} | ${source} |`),
    ].join('\n'),
  )
  return [
    '# Service facts',
    '',
    `The local engine answers like Amazon DynamoDB in October 2026. Each of these ${count} facts was observed on the service between`,
    'June and October 2026 and is a test of the engine. The test has the name in the first column. This page is generated',
    'from the tests by `npm run facts`, and a test checks that it is current.',
    '',
    'The regions of the service change their error texts at different times. Where two texts are in use, the engine returns',
    'the newer one, unless only one or a few regions have it; the source says so then. Where some regions print the hash of an object',
    'now, as in F014 and F021, the engine prints its fields, as the others do. It does not vary its texts by region.',
    '',
    'A source that begins with `tests/` is a file of the public suite https://github.com/paritysuite/dynamodb-conformance.',
    '',
    tables.join('\n\n'),
    '',
  ].join('\n')
}
