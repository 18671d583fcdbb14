import { grouped, perCent, valueText } from '../../text/text.js'
import { shardTable } from '../rule/cures.js'
import { KEY_DESIGN, oneKeyTakes } from '../rule/one-partition.js'
import type { Rule } from '../rule/rule.js'
import { sampledKeys } from '../rule/sampled-keys.js'

/** A share that would fill a partition at 10,000 units a second for the whole table. */
const DOMINANT_SHARE = 0.1

export const dominantPartitionKey: Rule = {
  id: 'dominant-partition-key',
  level: 'warning',
  title: 'One partition key has a large part of the items',
  why: [
    'If items were written at an even pace, the share of a key among the items is its share of the writes. A key with a tenth of them fills its partition when the table takes 10,000 write units a second; one with a half, at 2,000.',
    'A sample of items says nothing about reads, nor about when the items were written. Look at `isotherm hot` for the traffic of now.',
  ],
  sources: [KEY_DESIGN],
  example: {
    table: {
      TableName: 'events',
      AttributeDefinitions: [
        { AttributeName: 'tenant', AttributeType: 'S' },
        { AttributeName: 'id', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'tenant', KeyType: 'HASH' },
        { AttributeName: 'id', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    },
    items: Array.from({ length: 100 }, (_, index) => ({
      tenant: index < 40 ? 'acme' : `tenant-${index}`,
      id: `${index}`,
    })),
  },
  check(examined) {
    const { table, sample } = examined
    return sampledKeys(examined)
      .filter(({ index, distinct, items, top }) => {
        return index === undefined && distinct > 1 && top.items / items >= DOMINANT_SHARE
      })
      .map(({ attribute, items, top }) => ({
        subject: `partition key ${attribute}`,
        evidence: `${valueText(top.value)} has ${grouped(top.items)} of ${grouped(items)} sampled items (${perCent(top.items / items)}).`,
        consequence: `With the same share of the writes, this key is throttled when the table takes ${grouped((1_000 * items) / top.items)} write units a second. One key takes ${oneKeyTakes(sample)}.`,
        cure: shardTable(table, 'calculated'),
      }))
  },
}
