import { namesText } from '../../text/text.js'
import { namesFewValues } from '../rule/attribute-names.js'
import { shardTable } from '../rule/cures.js'
import { KEY_DESIGN, oneKeyTakes, SHARDING } from '../rule/one-partition.js'
import type { Rule } from '../rule/rule.js'

export const lowCardinalityPartitionKey: Rule = {
  id: 'low-cardinality-partition-key',
  level: 'warning',
  title: 'The partition key has few values',
  why: [
    'All items with one partition key value are written to one partition, until DynamoDB splits it. A partition takes 1,000 write units and 3,000 read units a second, whatever the table is provisioned for.',
    'A status, a type or a country has few values. Then a few partitions carry all traffic, and the rest of the table idles.',
  ],
  sources: [KEY_DESIGN, SHARDING],
  example: {
    table: {
      TableName: 'orders',
      AttributeDefinitions: [
        { AttributeName: 'status', AttributeType: 'S' },
        { AttributeName: 'order_id', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'status', KeyType: 'HASH' },
        { AttributeName: 'order_id', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    },
  },
  check({ table, sample }) {
    const { partition } = table.key
    if (partition.length === 0 || !partition.every(({ name }) => namesFewValues(name))) return []
    return [
      {
        subject: `partition key ${namesText(partition)}`,
        evidence: `The name ${namesText(partition)} suggests a handful of values.`,
        consequence: `Each value takes ${oneKeyTakes(sample)}. With 3 values the whole table takes at most 3 times that.`,
        // Without a sort key each value has one item, which no suffix divides.
        cure:
          table.key.sort.length === 0
            ? { text: 'Make the item’s own id the partition key.' }
            : {
                ...shardTable(table, 'calculated'),
                text: 'Make the item’s own id the partition key. If items must be found by this attribute, shard its hot values.',
              },
      },
    ]
  },
}
