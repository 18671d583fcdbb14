import { bindKeyCondition } from '@isotherm/semantics'
import { encodePartition } from '../keyspace/encoded-key.js'
import { rangeOfPartition } from '../keyspace/key-range.js'
import type { KeySchema } from '../table/table-definition.js'
import { EXPRESSION, LEGACY_READ } from '../validation/members.js'
import { validationException } from '../wire/service-error.js'
import { boundCondition, boundProjection, conditionAst, placeholdersOf } from './expressions.js'
import { checkFilterAvoidsKey } from './filter.js'
import { needsWholeItems } from './index-projection.js'
import { defineOperation, tableOf } from './operation.js'
import {
  checkSelect,
  consistencyOf,
  indexOf,
  PAGE_MEMBERS,
  type PageInput,
  pageResponse,
} from './page-response.js'
import { rangeFrom } from './start-key.js'

interface QueryInput extends PageInput {
  readonly KeyConditionExpression?: string
  readonly ScanIndexForward?: boolean
}

export const query = defineOperation<QueryInput>(
  {
    type: 'structure',
    members: {
      ...PAGE_MEMBERS,
      KeyConditionExpression: EXPRESSION,
      ScanIndexForward: { type: 'boolean' },
    },
    unsupported: LEGACY_READ,
  },
  (input, context) => {
    const { KeyConditionExpression, FilterExpression, ProjectionExpression } = input
    const expressions = { FilterExpression, KeyConditionExpression, ProjectionExpression }
    const placeholders = placeholdersOf(input, expressions)
    if (KeyConditionExpression === undefined) {
      throw validationException(
        'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
      )
    }
    const ast = conditionAst('KeyConditionExpression', KeyConditionExpression)
    const table = tableOf(context, input.TableName)
    const index = indexOf(table, input, context.clock.now())
    const schema: KeySchema = index?.definition.schema ?? table.definition.schema
    const condition = bindKeyCondition(ast, placeholders, schema)
    const filter = boundCondition('FilterExpression', FilterExpression, placeholders)
    const projection = boundProjection(ProjectionExpression, placeholders)
    placeholders.assertAllUsed()
    checkSelect(input, index)
    checkFilterAvoidsKey(filter, schema)

    const reverse = input.ScanIndexForward === false
    const whole = rangeOfPartition(condition.partition, condition.sort)
    const collection = encodePartition(condition.partition)
    const page = table.readPage({
      index: input.IndexName,
      range: rangeFrom(input.ExclusiveStartKey, table, index, whole, reverse, (key) =>
        key.startsWith(collection)
          ? 'The provided starting key does not match the range key predicate'
          : 'The provided starting key is outside query boundaries based on provided conditions',
      ),
      reverse,
      limit: input.Limit,
      consistency: consistencyOf(input),
      wholeItems: needsWholeItems(index, input.Select, filter, projection),
      access: 'query',
    })
    return pageResponse(table, index, input, page, filter, projection)
  },
)
