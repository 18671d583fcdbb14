import { namesText } from '../../text/text.js'
import { KEY_DESIGN } from '../rule/one-partition.js'
import type { Rule } from '../rule/rule.js'

export const numericPartitionKey: Rule = {
  id: 'numeric-partition-key',
  level: 'note',
  title: 'The partition key is a number, which cannot have a suffix',
  why: [
    'A number is spread as well as a string: DynamoDB hashes both. But write sharding adds a suffix to the key, and a number with a suffix is no number any more.',
    'The type of a key cannot be changed. If one value ever gets hot, the way out is a new table and a migration.',
  ],
  sources: [KEY_DESIGN],
  example: {
    table: {
      TableName: 'votes',
      AttributeDefinitions: [{ AttributeName: 'campaign', AttributeType: 'N' }],
      KeySchema: [{ AttributeName: 'campaign', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    },
  },
  check({ table }) {
    const numeric = table.key.partition.filter(({ type }) => type === 'N')
    if (numeric.length === 0) return []
    return [
      {
        subject: `partition key ${namesText(numeric)}`,
        evidence: `${namesText(numeric)} has the type N.`,
        consequence:
          'A hot key of this table stays at 1,000 write units a second: its key cannot be sharded, and no split divides one item.',
        cure: {
          text: `Declare ${namesText(numeric)} as S while the table is new, and write the number as text. It costs about one byte for each digit instead of one for two.`,
        },
      },
    ]
  },
}
