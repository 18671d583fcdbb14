import { partitionedKeys } from '../../table/all-keys.js'
import { namesText } from '../../text/text.js'
import { namesPeriod } from '../rule/attribute-names.js'
import { shardIndex } from '../rule/cures.js'
import { GSI_THROTTLING, oneKeyTakes } from '../rule/one-partition.js'
import type { Found, Rule } from '../rule/rule.js'

export const timeBasedIndexKey: Rule = {
  id: 'time-based-index-key',
  level: 'warning',
  title: 'The partition key of an index is a period',
  why: [
    'All items of the current day have one key in the index, so one partition of the index takes every write. When it is full, the writes to the table are throttled.',
    'AWS describes the cure for such an index: a shard number in its key, and readers that ask all shards.',
  ],
  sources: [
    'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-gsi-sharding.html',
    GSI_THROTTLING,
  ],
  example: {
    table: {
      TableName: 'orders',
      AttributeDefinitions: [
        { AttributeName: 'order_id', AttributeType: 'S' },
        { AttributeName: 'order_day', AttributeType: 'S' },
        { AttributeName: 'placed_at', AttributeType: 'S' },
      ],
      KeySchema: [{ AttributeName: 'order_id', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by_day',
          KeySchema: [
            { AttributeName: 'order_day', KeyType: 'HASH' },
            { AttributeName: 'placed_at', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    },
  },
  check({ table, sample }) {
    return partitionedKeys(table).flatMap(({ key, index }): readonly Found[] => {
      const { partition } = key
      if (index === undefined || partition.length === 0) return []
      if (!partition.every(({ name }) => namesPeriod(name))) return []
      return [
        {
          subject: `index ${index.name}`,
          evidence: `The name ${namesText(partition)} suggests that all items of a period share a key.`,
          consequence: `The table takes at most ${oneKeyTakes(sample)}, because each of them goes to one partition of ${index.name}.`,
          cure: shardIndex(table, index),
        },
      ]
    })
  },
}
