import { createLocal, type LocalOptions } from '@isotherm/local'
import type { Call } from './item.js'

/** An engine, and a `Call` to it as the page sends it. */
export async function engineCall(options: LocalOptions = {}) {
  const local = createLocal(options)
  const { url } = await local.listen({ port: 0 })
  const asked: string[] = []
  const call: Call = async (operation, input) => {
    asked.push(operation)
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${operation}`,
        authorization:
          'AWS4-HMAC-SHA256 Credential=console/20120810/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=console',
      },
      body: JSON.stringify(input),
    })
    const body = JSON.parse(await response.text())
    if (response.ok) return body
    const error = new Error(body.message)
    error.name = String(body.__type).split('#').at(-1) ?? ''
    throw error
  }
  return { local, call, asked }
}

export const never = new AbortController().signal
