import {
  readKeyCondition as bindOperands,
  FOREIGN_START_KEY_TEXT,
  INVALID_START_KEY_TEXT,
  type KeyCondition,
  LIMIT_TEXT,
  NO_KEY_CONDITION_TEXT,
  type Placeholders,
} from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import { encodePartition } from '../keyspace/encoded-key.js'
import { rangeOfPartition } from '../keyspace/key-range.js'
import { attributesProjection } from '../legacy/attributes-to-get.js'
import { CONDITIONS, type Conditions, filterCondition } from '../legacy/conditions.js'
import { keyComparisons, keyConditionOf } from '../legacy/key-conditions.js'
import { checkUnmixed } from '../legacy/unmixed.js'
import { afterwards } from '../storage/afterwards.js'
import { nowAndOverTurns } from '../storage/over-turns.js'
import type { Page, PageRequest } from '../table/page.js'
import { pageInSteps } from '../table/page-in-steps.js'
import type { KeySchema } from '../table/table-definition.js'
import { checkFilterAvoidsKey } from '../validation/filter.js'
import { checkConditionPaths, checkProjectionPaths } from '../validation/key-paths.js'
import { EXPRESSION } from '../validation/members.js'
import {
  checkFilterIsHeld,
  checkProjectionIsHeld,
  needsWholeItems,
} from '../validation/projected-attributes.js'
import { readableIndex } from '../validation/readable-index.js'
import { rangeFrom } from '../validation/start-key.js'
import { arrangedQuery } from '../validation/write-violations.js'
import { boundCondition, boundProjection, conditionAst, placeholdersOf } from './expressions.js'
import { defineOperation, tableOf } from './operation.js'
import { checkSelect, consistencyOf, PAGE_MEMBERS, type PageInput, pageResponse } from './page-response.js'

interface QueryInput extends PageInput {
  readonly KeyConditionExpression?: string
  readonly KeyConditions?: Conditions
  readonly QueryFilter?: Conditions
  readonly ScanIndexForward?: boolean
}

export const query = defineOperation<QueryInput>(
  {
    type: 'structure',
    members: {
      ...PAGE_MEMBERS,
      // Checked below, because the service's text differs from a scan's.
      Limit: { type: 'integer' },
      KeyConditionExpression: EXPRESSION,
      KeyConditions: CONDITIONS,
      QueryFilter: CONDITIONS,
      ScanIndexForward: { type: 'boolean' },
    },
    arranged: arrangedQuery,
  },
  (input, context) => {
    const { KeyConditionExpression, FilterExpression, ProjectionExpression } = input
    const expressions = { FilterExpression, KeyConditionExpression, ProjectionExpression }
    // KeyConditions can be combined with every expression except its own successor.
    const keyConditions = KeyConditionExpression === undefined ? [] : (['KeyConditions'] as const)
    checkUnmixed(
      input,
      ['AttributesToGet', 'QueryFilter', 'ConditionalOperator', ...keyConditions],
      ['ProjectionExpression', 'FilterExpression', 'KeyConditionExpression'],
    )
    checkLimit(input)
    const placeholders = placeholdersOf(input, expressions)
    const attributes = attributesProjection(input.AttributesToGet)
    const queryFilter = filterCondition(input.QueryFilter, input.ConditionalOperator)
    // The service reads the filter and the projection before the key condition.
    const filter = boundCondition('FilterExpression', FilterExpression, placeholders) ?? queryFilter
    const projection = boundProjection(ProjectionExpression, placeholders) ?? attributes
    const keyConditionFor = readKeyCondition(input, placeholders)
    placeholders.assertAllUsed()
    const table = tableOf(context, input.TableName)
    const index = readableIndex(table, input, context.clock.now())
    const schema: KeySchema = index?.definition.schema ?? table.definition.schema
    const condition = keyConditionFor(schema)
    checkSelect(input, index)
    checkProjectionPaths(table, projection)
    checkProjectionIsHeld(index, projection)
    checkFilterAvoidsKey(queryFilter === undefined ? 'Filter Expression' : 'QueryFilter', filter, schema)
    checkConditionPaths(table, filter)
    checkFilterIsHeld(index, filter)

    const reverse = input.ScanIndexForward === false
    const whole = rangeOfPartition(condition.partition, condition.sort)
    const request: PageRequest = {
      index: input.IndexName,
      range: rangeFrom(input.ExclusiveStartKey, table, index, whole, reverse, {
        misfit: INVALID_START_KEY_TEXT,
        outside: (key) =>
          key.startsWith(encodePartition(condition.partition))
            ? 'The provided starting key does not match the range key predicate'
            : FOREIGN_START_KEY_TEXT,
      }),
      reverse,
      limit: input.Limit,
      consistency: consistencyOf(input),
      wholeItems: needsWholeItems(index, input.Select, projection),
      access: 'query',
    }
    const answer = (page: Page) => pageResponse(table, index, input, page, filter, projection)
    if (!request.wholeItems) return answer(table.readPage(request))
    return afterwards(nowAndOverTurns(pageInSteps(table, request, context.checkCurrent)), answer)
  },
)

function checkLimit({ Limit: limit }: QueryInput): void {
  if (limit === undefined || limit >= 1) return
  throw validationException(LIMIT_TEXT)
}

/** The key condition of a request, in either form. It is bound to the schema of a table or index once that is known. */
function readKeyCondition(
  { KeyConditionExpression: expression, KeyConditions: conditions }: QueryInput,
  placeholders: Placeholders,
): (schema: KeySchema) => KeyCondition {
  if (expression !== undefined) {
    return bindOperands(conditionAst('KeyConditionExpression', expression), placeholders)
  }
  if (conditions === undefined) {
    throw validationException(NO_KEY_CONDITION_TEXT)
  }
  const comparisons = keyComparisons(conditions)
  return (schema) => keyConditionOf(comparisons, schema)
}
