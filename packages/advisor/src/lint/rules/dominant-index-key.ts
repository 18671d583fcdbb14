import { grouped, perCent, valueText } from '../../text/text.js'
import { shardIndex } from '../rule/cures.js'
import { GSI_THROTTLING, SPARSE_INDEXES } from '../rule/one-partition.js'
import type { Found, Rule } from '../rule/rule.js'
import { sampledKeys } from '../rule/sampled-keys.js'

const DOMINANT_SHARE = 0.25

export const dominantIndexKey: Rule = {
  id: 'dominant-index-key',
  level: 'warning',
  title: 'One value has a large part of an index',
  why: [
    'The partition that holds a frequent value of an index takes 1,000 write units a second. When it is full, DynamoDB throttles the writes to the table.',
    'Often the frequent value is the one without readers: done, archived, unused. Then the items need not be in the index at all.',
  ],
  sources: [GSI_THROTTLING, SPARSE_INDEXES],
  example: {
    table: {
      TableName: 'tasks',
      AttributeDefinitions: [
        { AttributeName: 'id', AttributeType: 'S' },
        { AttributeName: 'queue', AttributeType: 'S' },
        { AttributeName: 'due', AttributeType: 'S' },
      ],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by_queue',
          KeySchema: [
            { AttributeName: 'queue', KeyType: 'HASH' },
            { AttributeName: 'due', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    },
    items: Array.from({ length: 100 }, (_, index) => ({
      id: `${index}`,
      queue: index < 90 ? 'finished' : `queue-${index}`,
      due: `2026-11-${10 + (index % 20)}`,
    })),
  },
  check(examined) {
    const { table } = examined
    return sampledKeys(examined).flatMap(({ index, attribute, items, top }): readonly Found[] => {
      const share = top.items / items
      if (index === undefined || share < DOMINANT_SHARE) return []
      return [
        {
          subject: `index ${index.name}`,
          evidence: `${attribute} is ${valueText(top.value)} in ${grouped(top.items)} of ${grouped(items)} sampled entries (${perCent(share)}).`,
          consequence: `Writes to the table are throttled from ${grouped((1_000 * items) / top.items)} index units a second on, whatever its capacity is.`,
          cure: shardIndex(table, index),
        },
      ]
    })
  },
}
