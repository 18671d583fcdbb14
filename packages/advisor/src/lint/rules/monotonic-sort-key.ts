import { partitionedKeys } from '../../table/all-keys.js'
import type { KeyDefinition } from '../../table/table-definition.js'
import { namesFewValues, namesPeriod, namesRisingValues } from '../rule/attribute-names.js'
import { shardIndex, shardTable } from '../rule/cures.js'
import { ADAPTIVE_CAPACITY, oneKeyTakes } from '../rule/one-partition.js'
import type { Found, Rule } from '../rule/rule.js'

/** Keys that have a rule of their own. */
const isReported = ({ partition }: KeyDefinition) =>
  partition.every(({ name }) => namesFewValues(name) || namesPeriod(name))

export const monotonicSortKey: Rule = {
  id: 'monotonic-sort-key',
  level: 'note',
  title: 'The sort key only rises, so a hot key is not split',
  why: [
    'DynamoDB splits a hot partition, also between the items of one partition key. It does not when each new item is written at the end: a split would leave all of the traffic on one side.',
    'A timestamp or a ULID as sort key is written in that order. So the busiest partition key stays at 1,000 write units a second, for as long as it is hot. It is harmless while no key gets near that.',
  ],
  sources: [
    ADAPTIVE_CAPACITY,
    'https://aws.amazon.com/blogs/database/part-3-scaling-dynamodb-how-partitions-hot-keys-and-split-for-heat-impact-performance/',
  ],
  example: {
    table: {
      TableName: 'audit_log',
      AttributeDefinitions: [
        { AttributeName: 'file_path', AttributeType: 'S' },
        { AttributeName: 'accessed_at', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'file_path', KeyType: 'HASH' },
        { AttributeName: 'accessed_at', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    },
  },
  check({ table, sample }) {
    return partitionedKeys(table).flatMap(({ key, index }): readonly Found[] => {
      const rising = key.sort[0]
      if (rising === undefined || !namesRisingValues(rising.name) || isReported(key)) return []
      return [
        {
          subject: index === undefined ? `sort key ${rising.name}` : `index ${index.name}`,
          evidence: `The name ${rising.name} suggests that new items come at the end.`,
          consequence: `One value of ${key.partition.map(({ name }) => name).join(' and ')} takes ${oneKeyTakes(sample)}, and split for heat does not raise that.`,
          cure: index === undefined ? shardTable(table, 'random') : shardIndex(table, index),
        },
      ]
    })
  },
}
