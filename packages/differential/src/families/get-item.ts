import fc from 'fast-check'
import { anyKey } from '../generators/items.js'
import { malformed } from '../generators/malformed.js'
import { resolve } from '../generators/placeholders.js'
import { projection } from '../generators/projections.js'
import { present, sometimes } from '../generators/weighted.js'
import { type Family, forTable } from './family.js'
import { returnConsumedCapacity, tableName } from './members.js'

/** GetItem, with and without projections. */
export const GET_ITEM: Family = {
  name: 'GetItem',
  operations: ['GetItem'],
  weight: 80,
  steps: forTable((table) => {
    const members = fc.record({
      TableName: tableName(table.name),
      Key: anyKey(table),
      ConsistentRead: sometimes(40, fc.boolean()),
      ProjectionExpression: sometimes(60, projection),
      ReturnConsumedCapacity: returnConsumedCapacity,
    })
    const request = members.chain((rest) =>
      resolve([rest.ProjectionExpression], {}).map((resolved) => present({ ...rest, ...resolved })),
    )
    return malformed(request, 8).map((each) => ({ operation: 'GetItem', request: each }))
  }),
}
