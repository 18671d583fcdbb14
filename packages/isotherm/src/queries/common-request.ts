import type { AttributeValue, QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { placeholdersIn, without } from '../sdk/placeholders.js'
import type { FetchedAttributes } from './projection.js'

/** What the requests of one query have in common, whatever shard they go to. */
export interface CommonRequest {
  readonly input: QueryCommandInput
  readonly names: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, AttributeValue>>
}

/** Worked out once for a query: a page of many shards has many requests. */
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
  // What the key condition alone used is gone with it; what nothing used stays, for the service to refuse.
  const isGone = (placeholder: string) => used.has(placeholder) && !kept.has(placeholder)
  return {
    input: {
      ...rest,
      ...fetched.request,
      ...(indexName === undefined ? {} : { IndexName: indexName }),
      ReturnConsumedCapacity: ReturnConsumedCapacity === 'NONE' ? 'TOTAL' : ReturnConsumedCapacity,
    },
    names: { ...without(rest.ExpressionAttributeNames, isGone), ...fetched.names },
    values: without(rest.ExpressionAttributeValues, isGone) ?? {},
  }
}
