import type { QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { Placeholders, parseProjection, printProjection } from '@isotherm/semantics'
import { freePlaceholder } from '../sdk/placeholders.js'

/** The attributes to request from shards, and those to remove again. */
export interface FetchedAttributes {
  /** `ProjectionExpression` and `Select` of the requests to shards. */
  readonly request: Pick<QueryCommandInput, 'ProjectionExpression' | 'Select'>
  /** Placeholders of the request in addition to the caller's. */
  readonly names: Readonly<Record<string, string>>
  /** Attributes that are only needed for merging. */
  readonly hidden: readonly string[]
  /** Whether whole items are returned, so that their size is known. */
  readonly isWhole: boolean
}

/** The placeholder of the partition key's value in expressions. */
export const PARTITION_VALUE = ':isotherm_partition'

/**
 * Adds the attributes that merging needs to a projection without them. A count requests only these, because the page
 * must end at the right item even if no item is returned.
 *
 * @param needed at least one attribute
 */
export function fetchedAttributes(input: QueryCommandInput, needed: readonly string[]): FetchedAttributes {
  const { ProjectionExpression, Select, ExpressionAttributeNames } = input
  const isCount = Select === 'COUNT' && ProjectionExpression === undefined
  const request: FetchedAttributes['request'] = Select === undefined || isCount ? {} : { Select }
  if (ProjectionExpression === undefined && !isCount) {
    // Whole items of the table. An index may hold only a part of them, which is also what its page size counts.
    return { request, names: {}, hidden: [], isWhole: true }
  }
  const placeholders = new Placeholders(ExpressionAttributeNames)
  const paths = (ProjectionExpression === undefined ? [] : parseProjection(ProjectionExpression)).map(
    (path) => ({
      path,
      names: placeholders.path('ProjectionExpression', path),
    }),
  )
  const hidden = needed.filter(
    (attribute) => !paths.some(({ names }) => names.length === 1 && names[0] === attribute),
  )
  // A path into a key finds nothing, because keys are scalars, and would overlap with the key itself.
  const others = paths.filter(({ names }) => !hidden.includes(names[0])).map(({ path }) => path)
  const names = Object.fromEntries(
    hidden.map((attribute, index) => [
      freePlaceholder(`#isotherm_fetched${index}`, ExpressionAttributeNames),
      attribute,
    ]),
  )
  const texts = Object.keys(names)
  if (others.length > 0) texts.unshift(printProjection(others))
  request.ProjectionExpression = texts.join(', ')
  return { request, names, hidden, isWhole: false }
}
