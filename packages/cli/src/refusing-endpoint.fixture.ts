import { createServer, request as sent } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An endpoint in front of another one. */
interface RefusingEndpoint {
  readonly url: string
  close(): void
}

/** What an endpoint answers in the place of the one behind it. */
interface Refusal {
  readonly name: string
  readonly status: number
}

/** An endpoint whose credentials lack permissions, or that fails for a time. */
export async function refusingEndpoint(
  endpoint: string,
  refusalOf: (operation: string) => Refusal | undefined,
): Promise<RefusingEndpoint> {
  const server = createServer((request, response) => {
    const { 'x-amz-target': target, ...headers } = request.headers
    // CloudWatch may have the operation in its path.
    const operation = /\w+$/.exec(String(target ?? request.url))?.[0] ?? ''
    const refusal = refusalOf(operation)
    if (refusal !== undefined) {
      request.resume()
      response.writeHead(refusal.status, {
        'content-type': 'application/x-amz-json-1.0',
        'x-amzn-query-error': `${refusal.name};Sender`,
      })
      return void response.end(
        JSON.stringify({ __type: refusal.name, message: `not authorized to perform: ${operation}` }),
      )
    }
    const { method = 'POST', url = '/' } = request
    const all = { ...headers, ...(target === undefined ? {} : { 'x-amz-target': target }) }
    const forwarded = sent(new URL(url, endpoint), { method, headers: all }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The refusal of a missing permission for some operations. */
export function withoutPermission(...operations: readonly string[]) {
  return (operation: string): Refusal | undefined =>
    operations.includes(operation) ? { name: 'AccessDeniedException', status: 400 } : undefined
}
