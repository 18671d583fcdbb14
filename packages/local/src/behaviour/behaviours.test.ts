import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Basis, BehaviourGroup } from './behaviour.js'
import { INDEX_ACCOUNTING } from './index-accounting.js'
import { ITEM_ACCOUNTING } from './item-accounting.js'
import { ON_DEMAND_TABLES } from './on-demand.js'
import { PARTITION_LIMITS } from './partition-limits.js'
import { PROVISIONED_TABLES } from './provisioned.js'
import { SPLITS } from './splits.js'
import { THROTTLES } from './throttling.js'

const GROUPS: readonly BehaviourGroup[] = [
  PARTITION_LIMITS,
  ON_DEMAND_TABLES,
  PROVISIONED_TABLES,
  SPLITS,
  THROTTLES,
  ITEM_ACCOUNTING,
  INDEX_ACCOUNTING,
]

for (const { subject, behaviours } of GROUPS) {
  describe(subject, () => {
    for (const { fact, show } of behaviours) it(fact, show)
  })
}

describe('docs/behaviours.md', () => {
  it('lists all facts with their sources; npm run behaviours writes it', async () => {
    const file = fileURLToPath(new URL('../../../../docs/behaviours.md', import.meta.url))
    await expect(page()).toMatchFileSnapshot(file)
  })
})

const WORDS: Readonly<Record<Basis, string>> = {
  documented: 'AWS documents it',
  measured: 'others measured it on the service',
  inferred: 'follows from documented or measured facts; AWS does not document it',
}

function page(): string {
  const all = GROUPS.flatMap(({ behaviours }) => behaviours)
  const counts = Object.entries(WORDS).map(([basis, meaning]) => {
    return `| ${basis} | ${all.filter((each) => each.basis === basis).length} | ${meaning} |`
  })
  const tables = GROUPS.map(({ subject, behaviours }) =>
    [
      `## ${subject}`,
      '',
      '| ... | basis |',
      '|---|---|',
      ...behaviours.map(({ fact, basis, source }) => `| ${fact} | [${basis}](${source}) |`),
    ].join('\n'),
  )
  return [
    '# Behaviours of partitions',
    '',
    `Each of these ${all.length} facts is a test on virtual time in packages/local/src/behaviour. This page is generated from`,
    'the tests by `npm run behaviours`, and a test checks that it is current.',
    '',
    '| basis | facts | |',
    '|---|---|---|',
    ...counts,
    '',
    tables.join('\n\n'),
    '',
  ].join('\n')
}
