import { grouped } from '../../text/text.js'
import type { Rule } from '../rule/rule.js'

export const fixedProvisionedThroughput: Rule = {
  id: 'fixed-provisioned-throughput',
  level: 'note',
  title: 'Provisioned capacity without auto scaling',
  why: [
    'Provisioned capacity costs by the hour, used or not, and throttles above it. Up to 300 seconds of unused capacity are kept for a burst.',
    'Since November 2024 an on-demand write costs as much as 3.5 provisioned write units kept for a second. So on demand is cheaper for a table that uses less than about 29 % of its capacity.',
  ],
  sources: [
    'https://aws.amazon.com/dynamodb/pricing/',
    'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/AutoScaling.html',
  ],
  example: {
    table: {
      TableName: 'sessions',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
    },
  },
  check({ table: { billing } }) {
    if (billing.mode !== 'PROVISIONED' || billing.isAutoScaled) return []
    const { readUnits, writeUnits } = billing.throughput
    if (readUnits === undefined || writeUnits === undefined) return []
    return [
      {
        subject: 'capacity',
        evidence: `${grouped(writeUnits)} write and ${grouped(readUnits)} read units a second are provisioned, and the definition has no auto scaling of writes.`,
        consequence: `Writes above ${grouped(writeUnits)} ${writeUnits === 1 ? 'unit' : 'units'} a second are throttled once ${grouped(writeUnits * 300)} saved units are spent. Whatever is not used is paid for.`,
        cure: {
          text: 'Use BillingMode PAY_PER_REQUEST, or add auto scaling. `isotherm plan` compares their prices for your traffic.',
        },
      },
    ]
  },
}
