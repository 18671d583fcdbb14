import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Exchanges } from './exchange.js'

/** Answers people, load balancers and Prometheus. */
export async function servePage(
  { gateway, isStopping, metricsText, site }: Exchanges,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (isStopping()) response.setHeader('connection', 'close')
  const path = (request.url ?? '/').split('?', 1)[0]
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'POST, GET, HEAD')
    return text(response, 405, 'DynamoDB requests are POST requests to the path /.\n')
  }
  switch (path) {
    case '/metrics':
      response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8')
      return text(response, 200, await metricsText())
    case '/health':
      return isStopping() ? text(response, 503, 'stopping\n') : text(response, 200, 'healthy\n')
    case '/':
      if (site !== undefined && request.headers.accept?.includes('text/html')) {
        response.writeHead(302, { location: site.path, 'content-length': '0' })
        return void response.end()
      }
      return text(response, 200, `healthy: isotherm proxy for ${await gateway.upstream.address()}\n`)
    default:
      return text(response, 404, 'There are /health and /metrics.\n')
  }
}

function text(response: ServerResponse, status: number, body: string): void {
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'text/plain; charset=utf-8')
  response.writeHead(status, { 'content-length': Buffer.byteLength(body) })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}
