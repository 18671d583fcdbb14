import { INVALID_START_KEY_TEXT, MAX_SCAN_SEGMENTS } from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import { rangeOfSegment, WHOLE_KEYSPACE } from '../keyspace/key-range.js'
import { attributesProjection } from '../legacy/attributes-to-get.js'
import { CONDITIONS, type Conditions, filterCondition } from '../legacy/conditions.js'
import { checkUnmixed } from '../legacy/unmixed.js'
import { afterwards } from '../storage/afterwards.js'
import { nowAndOverTurns } from '../storage/over-turns.js'
import type { Page, PageRequest } from '../table/page.js'
import { pageInSteps } from '../table/page-in-steps.js'
import { checkConditionPaths, checkProjectionPaths } from '../validation/key-paths.js'
import { checkProjectionIsHeld, needsWholeItems } from '../validation/projected-attributes.js'
import { readableIndex } from '../validation/readable-index.js'
import { rangeFrom } from '../validation/start-key.js'
import { OLDER_VALUE_LAYER } from '../validation/value-layer.js'
import { boundCondition, boundProjection, placeholdersOf } from './expressions.js'
import { defineOperation, tableOf } from './operation.js'
import { checkSelect, consistencyOf, PAGE_MEMBERS, type PageInput, pageResponse } from './page-response.js'

interface ScanInput extends PageInput {
  readonly ScanFilter?: Conditions
  readonly Segment?: number
  readonly TotalSegments?: number
}

export const scan = defineOperation<ScanInput>(
  {
    type: 'structure',
    members: {
      ...PAGE_MEMBERS,
      ScanFilter: CONDITIONS,
      Segment: { type: 'integer', value: { min: 0, max: MAX_SCAN_SEGMENTS - 1 }, newWording: true },
      TotalSegments: { type: 'integer', value: { min: 1, max: MAX_SCAN_SEGMENTS } },
    },
  },
  (input, context) => {
    const { FilterExpression, ProjectionExpression } = input
    checkUnmixed(
      input,
      ['AttributesToGet', 'ScanFilter', 'ConditionalOperator'],
      ['ProjectionExpression', 'FilterExpression'],
    )
    const placeholders = placeholdersOf(input, { FilterExpression, ProjectionExpression }, OLDER_VALUE_LAYER)
    const attributes = attributesProjection(input.AttributesToGet)
    const scanFilter = filterCondition(input.ScanFilter, input.ConditionalOperator)
    const filter = boundCondition('FilterExpression', FilterExpression, placeholders) ?? scanFilter
    const projection = boundProjection(ProjectionExpression, placeholders) ?? attributes
    placeholders.assertAllUsed()
    const range = segmentRange(input)
    const table = tableOf(context, input.TableName)
    const index = readableIndex(table, input, context.clock.now())
    checkSelect(input, index)
    checkProjectionPaths(table, projection)
    checkProjectionIsHeld(index, projection)
    checkConditionPaths(table, filter)
    const refusals = {
      misfit: INVALID_START_KEY_TEXT,
      outside: () =>
        input.TotalSegments === undefined
          ? INVALID_START_KEY_TEXT
          : 'The provided Exclusive start key is not within the segment',
    }
    const request: PageRequest = {
      index: input.IndexName,
      range: rangeFrom(input.ExclusiveStartKey, table, index, range, false, refusals),
      limit: input.Limit,
      consistency: consistencyOf(input),
      wholeItems: needsWholeItems(index, input.Select, projection),
      access: 'scan',
    }
    const answer = (page: Page) => pageResponse(table, index, input, page, filter, projection)
    if (!request.wholeItems) return answer(table.readPage(request))
    return afterwards(nowAndOverTurns(pageInSteps(table, request, context.checkCurrent)), answer)
  },
)

function segmentRange({ Segment: segment, TotalSegments: total }: ScanInput) {
  if (segment === undefined && total === undefined) return WHOLE_KEYSPACE
  if (total === undefined) {
    throw validationException(
      'The TotalSegments parameter is required but was not present in the request when Segment parameter is present',
    )
  }
  if (segment === undefined) {
    throw validationException(
      'The Segment parameter is required but was not present in the request when parameter TotalSegments is present',
    )
  }
  if (segment >= total) {
    throw validationException(
      `The Segment parameter is zero-based and must be less than parameter TotalSegments`,
    )
  }
  return rangeOfSegment(segment, total)
}
