import { grouped } from '../../text/text.js'
import { GLOBAL_INDEXES, GSI_THROTTLING } from '../rule/one-partition.js'
import type { Found, Rule } from '../rule/rule.js'

export const indexThroughputBelowTable: Rule = {
  id: 'index-throughput-below-table',
  level: 'warning',
  title: 'An index has less write capacity than its table',
  why: [
    'Every write that changes the entry of an index costs the index as well. If the index has fewer write units than the table, it is full first.',
    'Then DynamoDB throttles the writes to the table. AWS recommends at least as many write units for the index as for the table.',
  ],
  sources: [GLOBAL_INDEXES, GSI_THROTTLING],
  example: {
    table: {
      TableName: 'orders',
      AttributeDefinitions: [
        { AttributeName: 'order_id', AttributeType: 'S' },
        { AttributeName: 'customer', AttributeType: 'S' },
      ],
      KeySchema: [{ AttributeName: 'order_id', KeyType: 'HASH' }],
      ProvisionedThroughput: { ReadCapacityUnits: 100, WriteCapacityUnits: 500 },
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by_customer',
          KeySchema: [{ AttributeName: 'customer', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
          ProvisionedThroughput: { ReadCapacityUnits: 100, WriteCapacityUnits: 50 },
        },
      ],
    },
  },
  check({ table: { billing, indexes } }) {
    if (billing.mode !== 'PROVISIONED') return []
    const { writeUnits } = billing.throughput
    if (writeUnits === undefined) return []
    return indexes.flatMap((index): readonly Found[] => {
      const own = index.throughput?.writeUnits
      if (index.kind === 'local' || own === undefined || own >= writeUnits) return []
      return [
        {
          subject: `index ${index.name}`,
          evidence: `${index.name} has ${grouped(own)} write units a second, the table ${grouped(writeUnits)}.`,
          consequence: `Writes that change the index are throttled from ${grouped(own)} a second on, although the table would take ${grouped(writeUnits)}.`,
          cure: {
            text: `Give ${index.name} ${grouped(writeUnits)} write units, or fewer if you know that most writes do not change its entries (a sparse index).`,
          },
        },
      ]
    })
  },
}
