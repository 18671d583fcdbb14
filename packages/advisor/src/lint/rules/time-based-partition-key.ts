import { namesText } from '../../text/text.js'
import { namesPeriod } from '../rule/attribute-names.js'
import { rotate } from '../rule/cures.js'
import { KEY_DESIGN, oneKeyTakes, SHARDING } from '../rule/one-partition.js'
import type { Rule } from '../rule/rule.js'

export const timeBasedPartitionKey: Rule = {
  id: 'time-based-partition-key',
  level: 'warning',
  title: 'The partition key is a period',
  why: [
    'With a date as partition key, all writes of a day have one key. One partition takes them all, 1,000 write units a second, and tomorrow it is another one.',
    'Split for heat does not help much: new items come at the end of the sort key, so DynamoDB does not split there, and a split that was made is idle the next day.',
    'Timestamps that nearly every item has for itself are no problem: they are hashed, and spread well.',
  ],
  sources: [SHARDING, KEY_DESIGN],
  example: {
    table: {
      TableName: 'events',
      AttributeDefinitions: [
        { AttributeName: 'event_date', AttributeType: 'S' },
        { AttributeName: 'at', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'event_date', KeyType: 'HASH' },
        { AttributeName: 'at', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    },
  },
  check({ table, sample }) {
    const { partition } = table.key
    if (partition.length === 0 || !partition.every(({ name }) => namesPeriod(name))) return []
    return [
      {
        subject: `partition key ${namesText(partition)}`,
        evidence: `The name ${namesText(partition)} suggests that all items of a period share a key.`,
        consequence: `The current period takes ${oneKeyTakes(sample)}, and the partitions of all earlier periods idle.`,
        cure: rotate(table),
      },
    ]
  },
}
