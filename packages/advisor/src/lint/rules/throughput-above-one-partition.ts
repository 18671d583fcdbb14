import { PARTITION_READ_UNITS, PARTITION_WRITE_UNITS } from '../../sizing/partition-limits.js'
import { grouped, perCent } from '../../text/text.js'
import { KEY_DESIGN } from '../rule/one-partition.js'
import type { Rule } from '../rule/rule.js'

export const throughputAboveOnePartition: Rule = {
  id: 'throughput-above-one-partition',
  level: 'note',
  title: 'The table has more capacity than one key can use',
  why: [
    'The capacity of a table is spread over its partitions. Adaptive capacity lets a hot partition use the spare part of it, but never more than 1,000 write units and 3,000 read units a second.',
    'So a table with 10,000 write units throttles a single key at a tenth of that.',
  ],
  sources: [KEY_DESIGN],
  example: {
    table: {
      TableName: 'carts',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      ProvisionedThroughput: { ReadCapacityUnits: 12_000, WriteCapacityUnits: 10_000 },
    },
  },
  check({ table: { billing, key } }) {
    if (billing.mode !== 'PROVISIONED') return []
    const { readUnits = 0, writeUnits = 0 } = billing.throughput
    const isWrite = writeUnits > PARTITION_WRITE_UNITS
    if (!isWrite && readUnits <= PARTITION_READ_UNITS) return []
    const [has, limit, kind] = isWrite
      ? [writeUnits, PARTITION_WRITE_UNITS, 'write']
      : [readUnits, PARTITION_READ_UNITS, 'read']
    return [
      {
        subject: 'capacity',
        evidence: `${grouped(has)} ${kind} units a second are provisioned.`,
        consequence: `One value of ${key.partition.map(({ name }) => name).join(' and ')} uses at most ${grouped(limit)} of them, which is ${perCent(limit / has)}.`,
        cure: {
          text: 'Watch the hottest keys with `isotherm hot`. If one of them comes near the limit, shard it; `isotherm plan` says into how many.',
        },
      },
    ]
  },
}
