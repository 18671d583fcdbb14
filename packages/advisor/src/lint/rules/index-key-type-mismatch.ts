import { partitionedKeys } from '../../table/all-keys.js'
import { grouped } from '../../text/text.js'
import { GLOBAL_INDEXES } from '../rule/one-partition.js'
import type { Found, Rule } from '../rule/rule.js'

export const indexKeyTypeMismatch: Rule = {
  id: 'index-key-type-mismatch',
  level: 'error',
  title: 'Items have the key of an index with another type',
  why: [
    'A write whose attribute has another type than the index declares is refused with a ValidationException. Items that were there before the index was added stay, but are missing in it.',
    'So such items mean one of two things: the index is not complete, or the next write of the item fails.',
  ],
  sources: [
    GLOBAL_INDEXES,
    'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.OnlineOps.html',
  ],
  example: {
    table: {
      TableName: 'orders',
      AttributeDefinitions: [
        { AttributeName: 'order_id', AttributeType: 'S' },
        { AttributeName: 'customer', AttributeType: 'S' },
      ],
      KeySchema: [{ AttributeName: 'order_id', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by_customer',
          KeySchema: [{ AttributeName: 'customer', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    },
    items: [
      { order_id: '1', customer: 'c-1' },
      { order_id: '2', customer: 7 },
    ],
  },
  check({ table, sample }) {
    if (sample === undefined) return []
    return partitionedKeys(table).flatMap(({ key, index }) =>
      [...key.partition, ...key.sort].flatMap(({ name, type }): readonly Found[] => {
        const figures = sample.attributes.get(name)
        if (figures === undefined || type === undefined) return []
        const others = [...figures.types].filter(([each]) => each !== type)
        const count = others.reduce((sum, [, items]) => sum + items, 0)
        if (count === 0) return []
        return [
          {
            subject: index === undefined ? `key attribute ${name}` : `index ${index.name}`,
            evidence: `${name} is declared as ${type}, and is ${others.map(([each]) => each).join(' or ')} in ${grouped(count)} of ${grouped(figures.items)} sampled items.`,
            consequence:
              index === undefined
                ? 'These items cannot be written to this table.'
                : `${grouped(count)} items are not in ${index.name}, and writes of such items are refused.`,
            cure: { text: `Write ${name} as ${type}, and rewrite the items that have another type.` },
          },
        ]
      }),
    )
  },
}
