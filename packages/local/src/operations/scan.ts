import { MAX_SCAN_SEGMENTS } from '@isotherm/semantics'
import { rangeOfSegment, WHOLE_KEYSPACE } from '../keyspace/key-range.js'
import { LEGACY_READ } from '../validation/members.js'
import { validationException } from '../wire/service-error.js'
import { boundCondition, boundProjection, placeholdersOf } from './expressions.js'
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

interface ScanInput extends PageInput {
  readonly Segment?: number
  readonly TotalSegments?: number
}

export const scan = defineOperation<ScanInput>(
  {
    type: 'structure',
    members: {
      ...PAGE_MEMBERS,
      Segment: { type: 'integer', value: { min: 0, max: MAX_SCAN_SEGMENTS - 1 } },
      TotalSegments: { type: 'integer', value: { min: 1, max: MAX_SCAN_SEGMENTS } },
    },
    unsupported: LEGACY_READ,
  },
  (input, context) => {
    const { FilterExpression, ProjectionExpression } = input
    const range = segmentRange(input)
    const placeholders = placeholdersOf(input, { FilterExpression, ProjectionExpression })
    const filter = boundCondition('FilterExpression', FilterExpression, placeholders)
    const projection = boundProjection(ProjectionExpression, placeholders)
    placeholders.assertAllUsed()
    const table = tableOf(context, input.TableName)
    const index = indexOf(table, input, context.clock.now())
    checkSelect(input, index)
    const outside =
      input.TotalSegments === undefined
        ? 'The provided starting key is invalid'
        : 'The provided Exclusive start key is not within the segment'
    const page = table.readPage({
      index: input.IndexName,
      range: rangeFrom(input.ExclusiveStartKey, table, index, range, false, () => outside),
      limit: input.Limit,
      consistency: consistencyOf(input),
      wholeItems: needsWholeItems(index, input.Select, filter, projection),
      access: 'scan',
    })
    return pageResponse(table, index, input, page, filter, projection)
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
      `The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: ${segment} is not less than TotalSegments: ${total}`,
    )
  }
  return rangeOfSegment(segment, total)
}
