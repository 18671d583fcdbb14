import { attributeBytes, MAX_PARTITION_KEY_BYTES, utf8Length } from '@isotherm/semantics'
import { grouped } from '../../text/text.js'
import { LIMITS } from '../rule/one-partition.js'
import type { Rule } from '../rule/rule.js'

/** A delimiter and a shard of up to four digits. */
const SUFFIX_BYTES = 5

export const keyTooLongForSuffix: Rule = {
  id: 'key-too-long-for-suffix',
  level: 'warning',
  title: 'A partition key is too long for a suffix',
  why: [
    'A partition key may have 2,048 bytes, and the suffix of a shard is part of it. A key that has hardly any room left cannot be sharded when it gets hot.',
    'Long keys also make every item, every index entry and every cursor larger.',
  ],
  sources: [LIMITS],
  example: {
    table: {
      TableName: 'pages',
      AttributeDefinitions: [{ AttributeName: 'url', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'url', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    },
    items: [{ url: `/${'long/'.repeat(409)}` }],
  },
  check({ table, sample }) {
    const [attribute] = table.key.partition
    if (attribute === undefined || sample === undefined) return []
    const values = sample.mostFrequent(attribute.name, Number.POSITIVE_INFINITY)
    const lengths = values.map(
      ({ value }) => attributeBytes(attribute.name, value) - utf8Length(attribute.name),
    )
    const tooLong = lengths.filter((length) => length > MAX_PARTITION_KEY_BYTES - SUFFIX_BYTES)
    if (tooLong.length === 0) return []
    return [
      {
        subject: `partition key ${attribute.name}`,
        evidence: `${grouped(tooLong.length)} of ${grouped(lengths.length)} sampled keys have more than ${grouped(MAX_PARTITION_KEY_BYTES - SUFFIX_BYTES)} bytes.`,
        consequence: 'The library refuses to shard such a key, so it stays at 1,000 write units a second.',
        cure: {
          text: 'Use a hash of the long value as the key, and keep the value itself in another attribute.',
        },
      },
    ]
  },
}
