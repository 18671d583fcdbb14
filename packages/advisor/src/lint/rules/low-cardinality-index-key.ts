import { partitionedKeys } from '../../table/all-keys.js'
import { namesText } from '../../text/text.js'
import { namesFewValues } from '../rule/attribute-names.js'
import { claimFromPool, shardIndex } from '../rule/cures.js'
import { GSI_THROTTLING, oneKeyTakes, SPARSE_INDEXES } from '../rule/one-partition.js'
import type { Found, Rule } from '../rule/rule.js'

export const lowCardinalityIndexKey: Rule = {
  id: 'low-cardinality-index-key',
  level: 'warning',
  title: 'The partition key of an index has few values',
  why: [
    'An index has separate partitions, and each takes 1,000 write units a second. With a status as key, all new items go to one of them.',
    'When it is full, DynamoDB throttles the writes to the table (back-pressure), although the table itself has room. More capacity does not help.',
    'Every change of the status writes the index twice: the old entry is deleted, the new one is put.',
  ],
  sources: [GSI_THROTTLING, SPARSE_INDEXES],
  example: {
    table: {
      TableName: 'vouchers',
      AttributeDefinitions: [
        { AttributeName: 'code', AttributeType: 'S' },
        { AttributeName: 'status', AttributeType: 'S' },
      ],
      KeySchema: [{ AttributeName: 'code', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by_status',
          KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    },
  },
  check({ table, sample }) {
    return partitionedKeys(table).flatMap(({ key, index }): readonly Found[] => {
      const { partition, sort } = key
      if (index === undefined || partition.length === 0) return []
      if (!partition.every(({ name }) => namesFewValues(name))) return []
      const entryTakes =
        index.projection.type === 'ALL'
          ? oneKeyTakes(sample)
          : '1,000 changes a second of entries of up to 1 KB'
      return [
        {
          subject: `index ${index.name}`,
          evidence: `The name ${namesText(partition)} suggests a handful of values.`,
          consequence: `Each value takes ${entryTakes}. Beyond that, writes to the table are refused with IndexWriteKeyRangeThroughputExceeded.`,
          cure: sort.length === 0 ? claimFromPool(table) : shardIndex(table, index),
        },
      ]
    })
  },
}
