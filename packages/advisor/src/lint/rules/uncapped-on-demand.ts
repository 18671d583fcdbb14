import { grouped } from '../../text/text.js'
import type { Rule } from '../rule/rule.js'

/** The default quota of a table: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html */
const TABLE_UNITS = 40_000
const SECONDS_PER_DAY = 86_400
/** US dollars for a million writes, us-east-1, since 2024-11-01. */
const DOLLARS_PER_MILLION_WRITES = 0.625

export const uncappedOnDemand: Rule = {
  id: 'uncapped-on-demand',
  level: 'note',
  title: 'An on-demand table without a maximum',
  why: [
    'On demand, a table grows with its traffic up to the quota, 40,000 write units and 40,000 read units a second by default. A retry loop pays for all of it.',
    'A maximum (OnDemandThroughput) bounds what a mistake can cost. Requests above it are throttled, after a burst.',
  ],
  sources: [
    'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode-max-throughput.html',
    'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  ],
  example: {
    table: {
      TableName: 'sessions',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    },
  },
  check({ table: { billing } }) {
    if (billing.mode !== 'PAY_PER_REQUEST' || billing.maximum !== undefined) return []
    const dollars = ((TABLE_UNITS * SECONDS_PER_DAY) / 1e6) * DOLLARS_PER_MILLION_WRITES
    return [
      {
        subject: 'capacity',
        evidence: 'BillingMode is PAY_PER_REQUEST without OnDemandThroughput.',
        consequence: `A day of writes at the default quota of ${grouped(TABLE_UNITS)} units a second costs ${grouped(dollars)} US dollars (us-east-1).`,
        cure: {
          text: 'Set OnDemandThroughput: { MaxWriteRequestUnits, MaxReadRequestUnits } to a few times the peak that you expect.',
        },
      },
    ]
  },
}
