import type { QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { Placeholders, parseProjection, printProjection } from '@isotherm/semantics'
import { SORT_NAME } from './sort-expression.js'

/** What the shards are asked for, and what of it is taken out again. */
export interface FetchedAttributes {
  /** `ProjectionExpression` and `Select` of the requests to the shards. */
  readonly request: Pick<QueryCommandInput, 'ProjectionExpression' | 'Select'>
  /** Whether the sort key was fetched for merging only. */
  readonly hidesSortKey: boolean
  /** Whether whole items come, so that their size is known. */
  readonly isWhole: boolean
}

/** The placeholder of the partition key's name in the texts. */
export const PARTITION_NAME = '#isotherm_partition'

/**
 * Merging needs the sort key of every item, so it is added to a projection without it. A count fetches nothing else: the
 * page must end at the right item even if no item is shown.
 */
export function fetchedAttributes(input: QueryCommandInput, sortKey: string | undefined): FetchedAttributes {
  const { ProjectionExpression, Select, ExpressionAttributeNames } = input
  if (Select === 'COUNT' && ProjectionExpression === undefined) {
    const key = sortKey === undefined ? PARTITION_NAME : SORT_NAME
    return { request: { ProjectionExpression: key }, hidesSortKey: false, isWhole: false }
  }
  const request = { ...defined('Select', Select), ...defined('ProjectionExpression', ProjectionExpression) }
  if (ProjectionExpression === undefined || sortKey === undefined) {
    return { request, hidesSortKey: false, isWhole: ProjectionExpression === undefined }
  }
  const placeholders = new Placeholders(ExpressionAttributeNames)
  const paths = parseProjection(ProjectionExpression).map((path) => ({
    path,
    names: placeholders.path('ProjectionExpression', path),
  }))
  if (paths.some(({ names }) => names.length === 1 && names[0] === sortKey)) {
    return { request, hidesSortKey: false, isWhole: false }
  }
  // A path into the sort key finds nothing, since keys are scalars, and would overlap with the key itself.
  const others = paths.filter(({ names }) => names[0] !== sortKey).map(({ path }) => path)
  const text = [...(others.length === 0 ? [] : [printProjection(others)]), SORT_NAME].join(', ')
  return { request: { ...request, ProjectionExpression: text }, hidesSortKey: true, isWhole: false }
}

function defined<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { [name in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [name in Name]?: Value })
}
