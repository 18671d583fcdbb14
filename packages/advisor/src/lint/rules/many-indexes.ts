import { MAX_GLOBAL_SECONDARY_INDEXES } from '@isotherm/semantics'
import { INDEXES } from '../rule/one-partition.js'
import type { Rule } from '../rule/rule.js'

/** A table that serves many access patterns rarely needs more. */
const MANY = 6

const attributes = ['a', 'b', 'c', 'd', 'e', 'f']

export const manyIndexes: Rule = {
  id: 'many-indexes',
  level: 'warning',
  title: 'Each write pays for many indexes',
  why: [
    'Each global index that a write changes costs at least one more write unit, and one more when the key of the entry changes. It can also throttle the table when it is full.',
    'DynamoDB allows 20 global indexes by default. Item collections with overloaded keys often need two or three.',
  ],
  sources: [
    INDEXES,
    'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-gsi-overloading.html',
  ],
  example: {
    table: {
      TableName: 'products',
      AttributeDefinitions: ['id', ...attributes].map((name) => ({
        AttributeName: name,
        AttributeType: 'S',
      })),
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: attributes.map((name) => ({
        IndexName: `by_${name}`,
        KeySchema: [{ AttributeName: name, KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      })),
      BillingMode: 'PAY_PER_REQUEST',
    },
  },
  check({ table: { indexes } }) {
    const count = indexes.filter(({ kind }) => kind === 'global').length
    if (count < MANY) return []
    const isRefused = count > MAX_GLOBAL_SECONDARY_INDEXES
    return [
      {
        subject: 'indexes',
        evidence: `The table has ${count} global indexes.`,
        consequence: isRefused
          ? `CreateTable refuses more than ${MAX_GLOBAL_SECONDARY_INDEXES} unless the quota of the account was raised.`
          : `A put of an item of up to 1 KB that is in all of them costs ${count + 1} write units; an update that changes all their keys costs ${2 * count + 1}.`,
        cure: {
          text: 'Leave out the key attributes of items that no query of an index needs (sparse indexes), and let one index serve several kinds of items by overloading its keys.',
        },
        ...(isRefused ? { level: 'error' as const } : {}),
      },
    ]
  },
}
