import type { QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { Placeholders, parseProjection, printProjection } from '@isotherm/semantics'
import { freePlaceholder } from '../sdk/placeholders.js'

/** What the shards are asked for, and what of it is taken out again. */
export interface FetchedAttributes {
  /** `ProjectionExpression` and `Select` of the requests to the shards. */
  readonly request: Pick<QueryCommandInput, 'ProjectionExpression' | 'Select'>
  /** Placeholders that the request has besides the caller's. */
  readonly names: Readonly<Record<string, string>>
  /** Attributes that were fetched for merging only. */
  readonly hidden: readonly string[]
  /** Whether whole items come, so that their size is known. */
  readonly isWhole: boolean
}

/** The placeholder of the partition key's value in the texts. */
export const PARTITION_VALUE = ':isotherm_partition'

/**
 * Merging needs some attributes of every item, so they are added to a projection without them. A count fetches nothing
 * else: the page must end at the right item even if no item is shown.
 *
 * @param needed one or more
 */
export function fetchedAttributes(input: QueryCommandInput, needed: readonly string[]): FetchedAttributes {
  const { ProjectionExpression, Select, ExpressionAttributeNames } = input
  const isCount = Select === 'COUNT' && ProjectionExpression === undefined
  const request: FetchedAttributes['request'] = Select === undefined || isCount ? {} : { Select }
  if (ProjectionExpression === undefined && !isCount) {
    // Whole items of the table; an index may have a part of them, which is all that a page of it is made of.
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
  // A path into a key finds nothing, since keys are scalars, and would overlap with the key itself.
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
