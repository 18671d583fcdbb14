import type { PriceList } from './price-list.js'

/**
 * The list prices of AWS, without free tier, savings plans and taxes. On-demand prices were halved on 2024-11-01.
 * `--prices` takes another file.
 */
export const AWS_PRICES: PriceList = {
  date: '2026-11-23',
  source: 'https://aws.amazon.com/dynamodb/pricing/',
  tableClass: 'Standard',
  regions: {
    'us-east-1': {
      millionWrites: 0.625,
      millionReads: 0.125,
      writeUnitHour: 0.00065,
      readUnitHour: 0.00013,
      storageGbMonth: 0.25,
    },
  },
}
