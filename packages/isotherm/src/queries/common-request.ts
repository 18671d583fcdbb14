import type { AttributeValue, QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { placeholdersIn, without } from '../sdk/placeholders.js'
import type { FetchedAttributes } from './projection.js'

/** The common part of one query's requests to all shards. */
export interface CommonRequest {
  readonly input: QueryCommandInput
  readonly names: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, AttributeValue>>
}

/** Computed once for each query, because a page of many shards takes many requests. */
export function commonRequest(
  input: QueryCommandInput,
  fetched: FetchedAttributes,
  indexName: string | undefined,
): CommonRequest {
  const {
    Select: _select,
    ProjectionExpression,
    ExclusiveStartKey: _start,
    Limit: _limit,
    IndexName: _index,
    ReturnConsumedCapacity = 'NONE',
    ...rest
  } = input
  const used = placeholdersIn(rest.KeyConditionExpression, rest.FilterExpression, ProjectionExpression)
  const kept = placeholdersIn(rest.FilterExpression, fetched.request.ProjectionExpression)
  // Placeholders used only in the key condition are removed with it. Unused ones remain, so that the service rejects
  // them.
  const isGone = (placeholder: string) => used.has(placeholder) && !kept.has(placeholder)
  return {
    input: Object.assign(
      rest,
      fetched.request,
      indexName === undefined ? undefined : { IndexName: indexName },
      {
        ReturnConsumedCapacity:
          ReturnConsumedCapacity === 'NONE' ? ('TOTAL' as const) : ReturnConsumedCapacity,
      },
    ),
    names: Object.assign({}, without(rest.ExpressionAttributeNames, isGone), fetched.names),
    values: without(rest.ExpressionAttributeValues, isGone) ?? {},
  }
}
