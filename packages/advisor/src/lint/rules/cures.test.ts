import { expect, it } from 'vitest'
import { readTables } from '../../templates/read-tables.js'
import type { Finding } from '../finding.js'
import { lintTable } from '../lint-table.js'

const key = (...names: readonly string[]) =>
  names.map((name, index) => ({ AttributeName: name, KeyType: index === 0 ? 'HASH' : 'RANGE' }))

function findingsOf(rule: string, members: object): readonly Finding[] {
  const names = ['game', 'player', 'score', 'updatedAt', 'expires']
  const request = {
    TableName: 'ranks',
    AttributeDefinitions: names.map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    KeySchema: key('game', 'player'),
    BillingMode: 'PAY_PER_REQUEST',
    ...members,
  }
  return readTables(JSON.stringify(request), 'ranks.json').flatMap((table) =>
    lintTable(table).findings.filter((finding) => finding.rule === rule),
  )
}

const index = (name: string, ...names: readonly string[]) => ({
  IndexName: name,
  KeySchema: key(...names),
  Projection: { ProjectionType: 'ALL' },
})

it('a local index cannot be dropped', () => {
  const [found] = findingsOf('duplicate-index', { LocalSecondaryIndexes: [index('again', 'game', 'player')] })
  expect(found?.cure.text).toBe(
    'Let its queries use the table. Local indexes cannot be removed: leave again out when the table is next created.',
  )
})

it('another projection of a local index needs a new table', () => {
  const local = { LocalSecondaryIndexes: [index('by_score', 'game', 'score')] }
  const global = { GlobalSecondaryIndexes: [index('by_player', 'player')] }
  const cureOf = (members: object) => findingsOf('index-projects-all', members)[0]?.cure.text ?? ''
  expect(cureOf(local)).toContain('that needs a new table')
  expect(cureOf(local)).not.toContain('drop this one')
  expect(cureOf(global)).toMatch(/add a new index, and drop this one\.$/)
  expect(cureOf({ ...local, ...global })).toMatch(/drop this one\. A local index needs a new table\.$/)
})

it('times are rounded to the hour, and numbers are not', () => {
  const cureOf = (name: string) =>
    findingsOf('index-on-changing-attribute', { GlobalSecondaryIndexes: [index('i', 'player', name)] })[0]
      ?.cure.text ?? ''
  expect(cureOf('updatedAt')).toContain('round updatedAt to the hour')
  expect(cureOf('score')).toContain('copy score to an attribute of the index from time to time')
  expect(cureOf('score')).not.toContain('hour')
})

it('the options of an index are code that runs, and an index without a sort key is dropped instead', () => {
  const cureOf = (...names: readonly string[]) =>
    findingsOf('index-repeats-partition-key', { GlobalSecondaryIndexes: [index('game-index', ...names)] })[0]
      ?.cure.text ?? ''
  expect(cureOf('game', 'score')).toContain("indexes: { 'game-index': { sortKey: 'score' } }")
  expect(cureOf('game')).toBe(
    'Without a sort key, game-index answers what the table answers: let its queries use the table, and drop game-index.',
  )
})

it('a table without a sort key has nothing to shard', () => {
  const codeOf = (...names: readonly string[]) =>
    findingsOf('low-cardinality-partition-key', {
      AttributeDefinitions: names.map((name) => ({ AttributeName: name, AttributeType: 'S' })),
      KeySchema: key(...names),
    }).map(({ cure }) => cure.code !== undefined)
  expect(codeOf('status', 'id')).toEqual([true])
  expect(codeOf('status')).toEqual([false])
})

it('time to live on an attribute that is declared as text is an error without any item', () => {
  const found = findingsOf('time-to-live-not-seconds', {
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
  })
  expect(found).toMatchObject([{ level: 'error', evidence: 'expires is declared with the type S.' }])
})
