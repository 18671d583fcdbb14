import { writeUnits } from '@isotherm/semantics'
import { bytesText, perCent } from '../../text/text.js'
import { UNITS } from '../rule/one-partition.js'
import type { Rule } from '../rule/rule.js'

const MUCH = 0.3

export const attributeNamesWeigh: Rule = {
  id: 'attribute-names-weigh',
  level: 'note',
  title: 'Attribute names are a large part of the items',
  why: [
    'The names of attributes count: they are stored in each item, and part of its size. A number has a few bytes, and its name may have thirty.',
    'It matters when shorter names would save a unit: a write is rounded up to 1 KB, a read to 4 KB.',
  ],
  sources: [
    'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html',
    UNITS,
  ],
  example: {
    table: {
      TableName: 'measurements',
      AttributeDefinitions: [{ AttributeName: 'sensor', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'sensor', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    },
    items: [
      Object.fromEntries([
        ['sensor', 's-1'],
        ...Array.from({ length: 40 }, (_, index) => [`averageTemperatureOfChannel${index}`, index]),
      ]),
    ],
  },
  check({ sample }) {
    if (sample === undefined || sample.items === 0) return []
    const share = sample.nameBytes / sample.bytes
    const mean = sample.meanItemBytes
    // Names of two letters instead.
    const names = [...sample.attributes.values()].reduce((sum, { items }) => sum + items, 0)
    const short = (sample.bytes - sample.nameBytes + 2 * names) / sample.items
    const [now, then] = [writeUnits(mean), writeUnits(short)]
    if (share < MUCH || then >= now) return []
    return [
      {
        subject: 'attribute names',
        evidence: `Names are ${perCent(share)} of all sampled bytes: ${bytesText(sample.nameBytes / sample.items)} of ${bytesText(mean)} in an average item.`,
        consequence: `A write of an average item costs ${now} units. With names of two letters it would have ${bytesText(short)} and cost ${then}.`,
        cure: {
          text: 'Use short names in the items, and long ones in the code: object mappers map them. Or put rarely used values into one attribute.',
        },
      },
    ]
  },
}
