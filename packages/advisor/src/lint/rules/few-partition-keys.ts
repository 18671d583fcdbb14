import { grouped, valueText } from '../../text/text.js'
import { shardTable } from '../rule/cures.js'
import { KEY_DESIGN, oneKeyTakes } from '../rule/one-partition.js'
import type { Found, Rule } from '../rule/rule.js'
import { sampledKeys } from '../rule/sampled-keys.js'

/** A table of so few keys uses as many partitions at most, until they are split. */
const FEW = 10
/** In a smaller sample few keys are no surprise. */
const ITEMS_PER_KEY = 20

export const fewPartitionKeys: Rule = {
  id: 'few-partition-keys',
  level: 'error',
  title: 'The items have only a few partition keys',
  why: [
    'The number of partition keys limits the number of partitions that work. A table with one key is one partition, however much capacity it has.',
    'It is a common end of a single-table design in which the type of the items became the key.',
  ],
  sources: [KEY_DESIGN],
  example: {
    table: {
      TableName: 'app',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    },
    items: Array.from({ length: 100 }, (_, index) => ({ pk: index % 2 ? 'ORDER' : 'USER', sk: `${index}` })),
  },
  check(examined) {
    const { table, sample } = examined
    return sampledKeys(examined).flatMap(({ index, attribute, distinct, items, top }): readonly Found[] => {
      if (index !== undefined || distinct > FEW || items < distinct * ITEMS_PER_KEY) return []
      return [
        {
          subject: `partition key ${attribute}`,
          evidence: `${grouped(items)} sampled items have ${distinct === 1 ? 'one value' : `${distinct} values`} of ${attribute}; the most frequent is ${valueText(top.value)}.`,
          consequence: `The table takes at most ${distinct === 1 ? '' : `${distinct} times `}${oneKeyTakes(sample)}, until DynamoDB splits its partitions.`,
          cure: {
            ...shardTable(table, 'calculated'),
            text: 'Put the id of the entity into the partition key. If its items must stay together, shard the key.',
          },
        },
      ]
    })
  },
}
