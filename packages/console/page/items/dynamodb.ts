import { view } from '../state/view'

/** A value in the form of the API: one member, named for the type. */
export type AttributeValue = Readonly<Record<string, unknown>>
export type Item = Readonly<Record<string, AttributeValue>>

/** The members of a table's description that are needed here. */
export interface TableDescription {
  readonly KeySchema: readonly KeyElement[]
  readonly AttributeDefinitions: readonly { readonly AttributeName: string; readonly AttributeType: string }[]
  readonly GlobalSecondaryIndexes?: readonly IndexDescription[]
  readonly LocalSecondaryIndexes?: readonly IndexDescription[]
}

interface IndexDescription {
  readonly IndexName: string
  readonly KeySchema: readonly KeyElement[]
}

export interface KeyElement {
  readonly AttributeName: string
  readonly KeyType: 'HASH' | 'RANGE'
}

/** A page of items. */
export interface ItemPage {
  readonly Items: readonly Item[]
  readonly LastEvaluatedKey?: Item
  readonly ConsumedCapacity?: { readonly CapacityUnits: number }
}

/**
 * Calls the API of DynamoDB, which is at the same address as the page. The console needs no way of its own to items, and
 * sees what an application sees.
 * @throws Error with the service's message
 */
export async function call<Of>(operation: string, input: object): Promise<Of> {
  const { region } = view.peek()
  const response = await fetch('/', {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      // Not a signature: the endpoint takes the region from it.
      authorization: `AWS4-HMAC-SHA256 Credential=console/20120810/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=console`,
    },
    body: JSON.stringify(input),
  })
  const body = await response.json()
  if (response.ok) return body
  const type = String(body.__type ?? '')
    .split('#')
    .at(-1)
  throw new Error(`${type}: ${body.message ?? body.Message ?? response.statusText}`)
}
