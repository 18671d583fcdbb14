import { writeUnits } from '@isotherm/semantics'
import { keyNames } from '../../table/all-keys.js'
import { bytesText, grouped, perCent } from '../../text/text.js'
import { storeLarge } from '../rule/cures.js'
import { UNITS } from '../rule/one-partition.js'
import type { Rule } from '../rule/rule.js'

/** Below, compression and a second item cost more than they save. */
const LARGE_BYTES = 4 * 1024
/** An attribute that is most of its item. */
const MOST = 0.5

export const oversizedAttribute: Rule = {
  id: 'oversized-attribute',
  level: 'note',
  title: 'One attribute is most of the item',
  why: [
    'Reads and writes are charged by the size of the whole item. A projection makes the response smaller, but not the charge.',
    'An attribute that is large and rarely needed, such as a document or a response in JSON, makes each update of a counter beside it expensive. Text compresses well; the rest belongs into a separate item.',
  ],
  sources: [UNITS, 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-use-s3-too.html'],
  example: {
    table: {
      TableName: 'pages',
      AttributeDefinitions: [{ AttributeName: 'url', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'url', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    },
    items: [{ url: '/a', views: 7, html: 'x'.repeat(20_000) }],
  },
  check({ table, sample }) {
    if (sample === undefined || sample.items === 0) return []
    const keys = keyNames(table)
    return [...sample.attributes]
      .filter(([name, { bytes, items }]) => {
        return !keys.has(name) && bytes / items >= LARGE_BYTES && bytes / sample.bytes >= MOST
      })
      .map(([name, { bytes, items }]) => {
        const mean = sample.meanItemBytes
        const without = (sample.bytes - bytes) / sample.items
        return {
          subject: `attribute ${name}`,
          evidence: `${name} has ${bytesText(bytes / items)} on average, ${perCent(bytes / sample.bytes)} of all sampled bytes.`,
          consequence: `A write of an average item costs ${grouped(writeUnits(mean))} write units; without ${name} it would cost ${grouped(writeUnits(without))}.`,
          cure: storeLarge(table, name),
        }
      })
  },
}
