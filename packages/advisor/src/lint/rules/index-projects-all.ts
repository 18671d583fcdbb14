import { writeUnits } from '@isotherm/semantics'
import type { IndexDefinition } from '../../table/table-definition.js'
import { bytesText } from '../../text/text.js'
import { GLOBAL_INDEXES, INDEXES } from '../rule/one-partition.js'
import type { Rule } from '../rule/rule.js'

/** From this mean size on, an entry of keys alone costs less. */
const ONE_UNIT_BYTES = 1024

export const indexProjectsAll: Rule = {
  id: 'index-projects-all',
  level: 'note',
  title: 'An index projects all attributes',
  why: [
    'An index with the projection ALL holds a copy of every item. Each write pays for it again, and so does the storage.',
    'A write of an attribute that is not projected costs nothing in the index. With ALL there is no such attribute.',
  ],
  sources: [INDEXES, GLOBAL_INDEXES],
  example: {
    table: {
      TableName: 'documents',
      AttributeDefinitions: [
        { AttributeName: 'id', AttributeType: 'S' },
        { AttributeName: 'owner', AttributeType: 'S' },
      ],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by_owner',
          KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    },
  },
  check({ table, sample }) {
    const mean = sample?.items ? sample.meanItemBytes : undefined
    // An item within one unit costs the index one unit, whatever is projected.
    if (mean !== undefined && mean <= ONE_UNIT_BYTES) return []
    const indexes = table.indexes.filter(({ projection }) => projection.type === 'ALL')
    const known =
      mean === undefined
        ? 'A 10 KB item costs 10 units in the table and 10 more in each such index; an entry of keys costs 1.'
        : `The sampled items have ${bytesText(mean)} on average: ${writeUnits(mean)} units in the table, and as many in each such index. An entry of keys costs 1.`
    if (indexes.length === 0) return []
    const names = indexes.map(({ name }) => name).join(', ')
    return [
      {
        subject: `${indexes.length === 1 ? 'index' : 'indexes'} ${names}`,
        evidence: `The projection of ${names} is ALL.`,
        consequence: known,
        cure: {
          text: `Project the keys and the few attributes that the queries of the index return (INCLUDE). Read the rest by BatchGetItem where it is needed. ${changeOf(indexes)}`,
        },
        ...(mean !== undefined && writeUnits(mean) >= 4 ? { level: 'warning' as const } : {}),
      },
    ]
  },
}

/** How an existing index gets another projection. */
function changeOf(indexes: readonly IndexDefinition[]): string {
  const isLocal = indexes.map(({ kind }) => kind === 'local')
  if (isLocal.every(Boolean))
    return 'The projection of a local index cannot be changed: that needs a new table.'
  const global = 'The projection of an index cannot be changed: add a new index, and drop this one.'
  return isLocal.some(Boolean) ? `${global} A local index needs a new table.` : global
}
