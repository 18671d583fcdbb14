import { PARTITION_WRITE_UNITS } from '../../sizing/partition-limits.js'
import { partitionedKeys } from '../../table/all-keys.js'
import type { IndexDefinition } from '../../table/table-definition.js'
import { grouped } from '../../text/text.js'
import { GSI_THROTTLING } from '../rule/one-partition.js'
import type { Found, Rule } from '../rule/rule.js'

export const indexRepeatsPartitionKey: Rule = {
  id: 'index-repeats-partition-key',
  level: 'note',
  title: 'An index has the partition key of its table, and its hot keys',
  why: [
    'A global index with the partition key of its table sorts the same collections differently. That is a good use. But a key that is hot in the table is hot in the index as well, on another partition.',
    'If you shard the key of the table, the index must be sharded with it. The library does both when you name the index.',
  ],
  sources: [GSI_THROTTLING],
  example: {
    table: {
      TableName: 'audit_log',
      AttributeDefinitions: [
        { AttributeName: 'file_path', AttributeType: 'S' },
        { AttributeName: 'id', AttributeType: 'S' },
        { AttributeName: 'actor', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'file_path', KeyType: 'HASH' },
        { AttributeName: 'id', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by_actor',
          KeySchema: [
            { AttributeName: 'file_path', KeyType: 'HASH' },
            { AttributeName: 'actor', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    },
  },
  check({ table }) {
    const own = table.key.partition[0]?.name
    return partitionedKeys(table).flatMap(({ key, index }): readonly Found[] => {
      const [first, ...more] = key.partition
      if (index === undefined || more.length > 0 || first === undefined || first.name !== own) return []
      if (key.sort[0]?.name === table.key.sort[0]?.name) return []
      return [
        {
          subject: `index ${index.name}`,
          evidence: `${own} is the partition key of the table and of ${index.name}.`,
          consequence: `A hot value of ${own} is limited twice to ${grouped(PARTITION_WRITE_UNITS)} write units a second: in the table, and in ${index.name}.`,
          cure: { text: cureOf(index) },
        },
      ]
    })
  },
}

function cureOf({ name, key }: IndexDefinition): string {
  const [sort] = key.sort
  return sort === undefined
    ? `Without a sort key, ${name} answers what the table answers: let its queries use the table, and drop ${name}.`
    : `Name the index in the options of the sharded table: indexes: { '${name}': { sortKey: '${sort.name}' } }. Its queries are then gathered from all shards, too.`
}
