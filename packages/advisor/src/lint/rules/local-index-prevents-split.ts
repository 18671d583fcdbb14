import { ADAPTIVE_CAPACITY, LOCAL_INDEXES, oneKeyTakes } from '../rule/one-partition.js'
import type { Rule } from '../rule/rule.js'

export const localIndexPreventsSplit: Rule = {
  id: 'local-index-prevents-split',
  level: 'warning',
  title: 'A local index keeps each item collection on one partition',
  why: [
    'Without local indexes, DynamoDB may split the items of one partition key over several partitions when they are hot. With a local index it never does.',
    'Local indexes can only be made with the table, and never be removed.',
  ],
  sources: [ADAPTIVE_CAPACITY, LOCAL_INDEXES],
  example: {
    table: {
      TableName: 'messages',
      AttributeDefinitions: [
        { AttributeName: 'room', AttributeType: 'S' },
        { AttributeName: 'id', AttributeType: 'S' },
        { AttributeName: 'author', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'room', KeyType: 'HASH' },
        { AttributeName: 'id', KeyType: 'RANGE' },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'by_author',
          KeySchema: [
            { AttributeName: 'room', KeyType: 'HASH' },
            { AttributeName: 'author', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    },
  },
  check({ table, sample }) {
    const names = table.indexes.filter(({ kind }) => kind === 'local').map(({ name }) => name)
    if (names.length === 0) return []
    const key = table.key.partition.map(({ name }) => name).join(' and ')
    return [
      {
        subject: `local index ${names.join(', ')}`,
        evidence: `The table has ${names.length === 1 ? 'a local index' : `${names.length} local indexes`}.`,
        consequence: `One value of ${key} takes ${oneKeyTakes(sample)}; no split ever raises that. Each write to it also pays for the local index.`,
        cure: {
          text: 'Replace the local index by a global index with the same keys, unless its queries need strongly consistent reads. That needs a new table: local indexes cannot be removed.',
        },
      },
    ]
  },
}
