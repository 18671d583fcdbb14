import type { PageOperation } from '../../src/api/page-operations'
import type { Call } from '../../src/items/item'
import { view } from '../state/view'

/**
 * Calls the API of DynamoDB, which is at the same address as the page. The console needs no way of its own to items, and
 * sees what an application sees.
 * @throws Error with the service's message, which is named for its exception
 */
export const call: Call = (operation, input) => callIn(view.peek().region, operation, input)

/** What the service answers without a permission. Its message names the permission. */
const NOT_ALLOWED = 'AccessDeniedException'

/** Calls the API in a region. */
export async function callIn<Answer>(
  region: string,
  operation: PageOperation,
  input: object,
): Promise<Answer> {
  const response = await reached(
    fetch('/', {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${operation}`,
        // Not a signature: the endpoint takes the region from it.
        authorization: `AWS4-HMAC-SHA256 Credential=console/20120810/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=console`,
      },
      body: JSON.stringify(input),
    }),
  )
  const body = await response.json()
  if (response.ok) return body
  const type = String(body.__type ?? '')
    .split('#')
    .at(-1)
  const cure = type === NOT_ALLOWED ? '. Give the credentials of this console that permission.' : ''
  const error = new Error(`${type}: ${body.message ?? body.Message ?? response.statusText}${cure}`)
  error.name = type ?? ''
  throw error
}

/** Browsers only say that they failed to fetch. */
async function reached(answer: Promise<Response>): Promise<Response> {
  try {
    return await answer
  } catch (cause) {
    throw new Error(
      `${location.origin} does not answer. Check that its process still runs. The page tries again when it is back.`,
      { cause },
    )
  }
}
