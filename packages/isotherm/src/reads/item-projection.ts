import type { AttributeValue, GetItemCommandInput } from '@aws-sdk/client-dynamodb'
import { Placeholders, parseProjection } from '@isotherm/semantics'
import { freePlaceholder } from '../writes/placeholders.js'

/** A projection that has the partition key too, and how to take it out again. */
export interface ItemProjection {
  readonly request: Pick<GetItemCommandInput, 'ProjectionExpression' | 'ExpressionAttributeNames'>
  /** Whether the key was only fetched to know the shard. */
  readonly hidesKey: boolean
}

/**
 * What the shards are asked for: the answers of a batch come in no order, so each has to tell its key.
 * @throws ValidationError in the service's words
 */
export function itemProjection(
  { ProjectionExpression: text, ExpressionAttributeNames: names }: ItemProjection['request'],
  partitionKey: string,
): ItemProjection {
  if (text === undefined) return { request: { ExpressionAttributeNames: names }, hidesKey: false }
  const placeholders = new Placeholders(names)
  const paths = parseProjection(text).map((path) => placeholders.path('ProjectionExpression', path))
  if (paths.some(([name]) => name === partitionKey)) {
    return { request: { ProjectionExpression: text, ExpressionAttributeNames: names }, hidesKey: false }
  }
  const placeholder = freePlaceholder('#isotherm_key', names)
  return {
    request: {
      ProjectionExpression: `${text}, ${placeholder}`,
      ExpressionAttributeNames: { ...names, [placeholder]: partitionKey },
    },
    hidesKey: true,
  }
}

/** The item without what was only fetched for the library itself. */
export function projected(
  { hidesKey }: ItemProjection,
  partitionKey: string,
  item: Record<string, AttributeValue>,
): Record<string, AttributeValue> {
  if (!hidesKey) return item
  const { [partitionKey]: _key, ...rest } = item
  return rest
}
