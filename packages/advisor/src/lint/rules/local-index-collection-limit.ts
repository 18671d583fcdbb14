import { bytesText, grouped } from '../../text/text.js'
import { LIMITS, LOCAL_INDEXES } from '../rule/one-partition.js'
import type { Rule } from '../rule/rule.js'
import { localIndexPreventsSplit } from './local-index-prevents-split.js'

const COLLECTION_BYTES = 10 * 1024 ** 3

export const localIndexCollectionLimit: Rule = {
  id: 'local-index-collection-limit',
  level: 'note',
  title: 'A local index limits each partition key to 10 GB',
  why: [
    'In a table with local indexes, all items of one partition key and their index entries together may have 10 GB. Then writes that add to them fail with ItemCollectionSizeLimitExceededException.',
    'Tables without local indexes have no such limit.',
  ],
  sources: [LOCAL_INDEXES, LIMITS],
  example: localIndexPreventsSplit.example,
  check({ table, sample }) {
    const locals = table.indexes.filter(({ kind }) => kind === 'local')
    if (locals.length === 0) return []
    const bytes = sample?.items ? sample.meanItemBytes : 1024
    const copies = 1 + locals.filter(({ projection }) => projection.type === 'ALL').length
    const items = COLLECTION_BYTES / (bytes * copies)
    const daily = items / (365 * 86_400)
    return [
      {
        subject: `partition key ${table.key.partition.map(({ name }) => name).join(' and ')}`,
        evidence: `${locals.length === 1 ? 'A local index' : `${locals.length} local indexes`}: ${locals.map(({ name }) => name).join(', ')}.`,
        consequence: `A partition key is full after about ${grouped(items)} items of ${bytesText(bytes)}. At ${daily.toFixed(daily < 1 ? 2 : 1)} new items a second that is a year.`,
        cure: {
          text: 'Ask writes for ReturnItemCollectionMetrics: SIZE, and raise an alarm at 8 GB. Or use a global index, which has no such limit.',
        },
      },
    ]
  },
}
