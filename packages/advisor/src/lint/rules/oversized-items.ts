import { MAX_ITEM_BYTES, readUnits, writeUnits } from '@isotherm/semantics'
import { bytesText, grouped } from '../../text/text.js'
import { storeLarge } from '../rule/cures.js'
import { LIMITS, UNITS } from '../rule/one-partition.js'
import type { Rule } from '../rule/rule.js'

/** A quarter of the limit: each write costs 100 units, and ten a second fill a partition. */
const LARGE_BYTES = MAX_ITEM_BYTES / 4

export const oversizedItems: Rule = {
  id: 'oversized-items',
  level: 'warning',
  title: 'Items come near 400 KB',
  why: [
    'An item may have 400 KB, names included. A larger one is refused. An item that grows, such as one with a list of events, gets there one day.',
    'An update pays for the whole item, however little it changes: 100 KB cost 100 write units. Ten such updates a second are all that a partition takes.',
  ],
  sources: [LIMITS, UNITS],
  example: {
    table: {
      TableName: 'documents',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    },
    items: [{ id: '1', body: 'x'.repeat(300_000) }],
  },
  check({ table, sample }) {
    if (sample === undefined || sample.maxItemBytes < LARGE_BYTES) return []
    const { maxItemBytes } = sample
    const units = writeUnits(maxItemBytes)
    const [largest = ''] = [...sample.attributes].sort(([, a], [, b]) => b.maxBytes - a.maxBytes)[0] ?? []
    return [
      {
        subject: 'item size',
        evidence: `The largest of ${grouped(sample.items)} sampled items has ${bytesText(maxItemBytes)}; its largest attribute is probably ${largest}.`,
        consequence: `Each write of it costs ${grouped(units)} write units, each consistent read ${grouped(readUnits(maxItemBytes, 'strong'))}. One partition takes ${(1_000 / units).toFixed(1)} writes of it a second. Items above ${bytesText(MAX_ITEM_BYTES)} are refused.`,
        cure: storeLarge(table, largest),
      },
    ]
  },
}
