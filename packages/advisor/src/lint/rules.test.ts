import { describe, expect, it } from 'vitest'
import { ItemSample } from '../sample/item-sample.js'
import { parseItems } from '../sample/parse-items.js'
import { readTables } from '../templates/read-tables.js'
import { lintTable } from './lint-table.js'
import type { Rule } from './rule/rule.js'
import { RULES } from './rules.js'

function findingsOf({ example }: Rule) {
  const [table] = readTables(JSON.stringify(example.table), 'example.json')
  if (table === undefined) throw new Error('The example has no table.')
  const lines = (example.items ?? []).map((item) => JSON.stringify(item)).join('\n')
  const sample = example.items === undefined ? undefined : new ItemSample(table, parseItems(lines))
  return lintTable(table, sample).findings
}

describe.each(RULES)('the rule $id', (rule) => {
  it('finds its own example, with evidence, a consequence in numbers, and a cure', () => {
    const found = findingsOf(rule).filter((finding) => finding.rule === rule.id)
    expect(found.length).toBeGreaterThan(0)
    for (const { evidence, consequence, cure, subject } of found) {
      for (const text of [evidence, consequence, cure.text]) expect(text).toMatch(/^\S.*[.]$/s)
      expect(subject).not.toBe('')
      expect(`${consequence} ${rule.why.join(' ')}`).toMatch(/\d|refused/)
      expect(`${evidence}${consequence}`).not.toMatch(/undefined|NaN|Infinity/)
    }
  })

  it('has a source for what it says', () => {
    expect(rule.sources.length).toBeGreaterThan(0)
    for (const source of rule.sources) expect(new URL(source).hostname).toMatch(/amazon\.com$/)
  })
})

it('there are at least 20 rules, each with an id of its own', () => {
  expect(RULES.length).toBeGreaterThanOrEqual(20)
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length)
})

describe('a good table', () => {
  const definition = {
    TableName: 'orders',
    AttributeDefinitions: [
      { AttributeName: 'customer', AttributeType: 'S' },
      { AttributeName: 'order_id', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'customer', KeyType: 'HASH' },
      { AttributeName: 'order_id', KeyType: 'RANGE' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    OnDemandThroughput: { MaxReadRequestUnits: 1_000, MaxWriteRequestUnits: 1_000 },
  }

  it('has no findings, with and without items', () => {
    for (const [table] of [readTables(JSON.stringify(definition), 'orders.json')]) {
      if (table === undefined) throw new Error('no table')
      expect(lintTable(table).findings).toEqual([])
      const items = Array.from(
        { length: 500 },
        (_, index) => `{"customer":"c${index % 97}","order_id":"${index}"}`,
      )
      expect(lintTable(table, new ItemSample(table, parseItems(items.join('\n')))).findings).toEqual([])
    }
  })

  it('has none with an empty sample either', () => {
    const [table] = readTables(JSON.stringify(definition), 'orders.json')
    if (table === undefined) throw new Error('no table')
    expect(lintTable(table, new ItemSample(table, [])).findings).toEqual([])
  })
})
