import { bytesText, perCent, valueText } from '../../text/text.js'
import { LIMITS, LOCAL_INDEXES } from '../rule/one-partition.js'
import type { Found, Rule } from '../rule/rule.js'
import { sampledKeys } from '../rule/sampled-keys.js'

const COLLECTION_BYTES = 10 * 1024 ** 3
const NEAR = 0.5

/** Two keys whose items are so large that the sample itself shows it. */
const scan = 'x'.repeat(300_000)

export const collectionNearLimit: Rule = {
  id: 'collection-near-limit',
  level: 'error',
  title: 'An item collection comes near 10 GB',
  why: [
    'In a table with local indexes, the items of one partition key may have 10 GB together with their index entries. From there on, writes that add to them fail, and no capacity helps.',
    'The size is estimated: the share of the key in the sample, of the size of the table. Without the size of the table, the sample itself is taken.',
  ],
  sources: [LOCAL_INDEXES, LIMITS],
  example: {
    table: {
      TableName: 'scans',
      AttributeDefinitions: [
        { AttributeName: 'site', AttributeType: 'S' },
        { AttributeName: 'id', AttributeType: 'S' },
        { AttributeName: 'author', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'site', KeyType: 'HASH' },
        { AttributeName: 'id', KeyType: 'RANGE' },
      ],
      LocalSecondaryIndexes: [
        {
          IndexName: 'by_author',
          KeySchema: [
            { AttributeName: 'site', KeyType: 'HASH' },
            { AttributeName: 'author', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      TableSizeBytes: 12 * 1024 ** 3,
      BillingMode: 'PAY_PER_REQUEST',
    },
    items: Array.from({ length: 60 }, (_, index) => ({
      site: index < 45 ? 'berlin' : 'porto',
      id: `${index}`,
      author: 'someone',
      scan,
    })),
  },
  check(examined) {
    const { table, sample } = examined
    const locals = table.indexes.filter(({ kind }) => kind === 'local')
    if (locals.length === 0 || sample === undefined) return []
    return sampledKeys(examined).flatMap(({ index, attribute, top }): readonly Found[] => {
      if (index !== undefined) return []
      const share = top.bytes / sample.bytes
      const bytes = share * Math.max(table.sizeBytes ?? 0, sample.bytes)
      if (bytes < COLLECTION_BYTES * NEAR) return []
      return [
        {
          subject: `partition key ${attribute}`,
          evidence: `${valueText(top.value)} has ${perCent(share)} of the sampled bytes, which is about ${bytesText(bytes)} of the table.`,
          consequence:
            bytes >= COLLECTION_BYTES
              ? 'Writes that add to it fail with ItemCollectionSizeLimitExceededException.'
              : `${bytesText(COLLECTION_BYTES - bytes)} remain, index entries not counted. Then writes fail with ItemCollectionSizeLimitExceededException.`,
          cure: {
            text: 'Archive old items of this key now. Then move to a table with a global index instead of the local one: it has no such limit.',
          },
        },
      ]
    })
  },
}
