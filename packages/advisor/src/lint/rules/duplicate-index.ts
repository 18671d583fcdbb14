import type { KeyDefinition } from '../../table/table-definition.js'
import { INDEXES } from '../rule/one-partition.js'
import type { Found, Rule } from '../rule/rule.js'

export const duplicateIndex: Rule = {
  id: 'duplicate-index',
  level: 'warning',
  title: 'Two indexes have the same key',
  why: [
    'An index with the key of another one, or of the table, answers the same queries. Each write pays for both.',
    'Only a narrower projection can be a reason, where the queries read much.',
  ],
  sources: [INDEXES],
  example: {
    table: {
      TableName: 'orders',
      AttributeDefinitions: [
        { AttributeName: 'order_id', AttributeType: 'S' },
        { AttributeName: 'customer', AttributeType: 'S' },
      ],
      KeySchema: [{ AttributeName: 'order_id', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: ['by_customer', 'customer_orders'].map((name) => ({
        IndexName: name,
        KeySchema: [{ AttributeName: 'customer', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      })),
      BillingMode: 'PAY_PER_REQUEST',
    },
  },
  check({ table }) {
    const seen = new Map([[textOf(table.key), 'the table']])
    return table.indexes.flatMap((index): readonly Found[] => {
      const key = textOf(index.key)
      const owner = seen.get(key)
      if (owner === undefined) seen.set(key, index.name)
      if (owner === undefined || index.key.partition.length === 0) return []
      return [
        {
          subject: `index ${index.name}`,
          evidence: `${index.name} has the same key as ${owner}.`,
          consequence:
            'Each write that changes its entries costs at least 1 write unit more, and every entry is stored once more, at 0.25 US dollars for each GB and month (us-east-1).',
          cure: {
            text:
              index.kind === 'local'
                ? `Let its queries use ${owner}. Local indexes cannot be removed: leave ${index.name} out when the table is next created.`
                : `Drop ${index.name}, and let its queries use ${owner}.`,
          },
        },
      ]
    })
  },
}

function textOf({ partition, sort }: KeyDefinition): string {
  return JSON.stringify([partition.map(({ name }) => name), sort.map(({ name }) => name)])
}
