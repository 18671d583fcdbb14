import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Site } from '@isotherm/local'
import { isTrustedHost, isTrustedOrigin, ServiceError, type SignatureCheck } from '@isotherm/local/service'
import type { Clock } from '@isotherm/runtime'
import type { Gateway, Routed } from '../gateway/gateway.js'
import { ours, serviceErrorOf } from '../gateway/service-error-of.js'
import type { RequestMetrics } from '../metrics/request-metrics.js'
import { errorAnswer } from '../wire/answers.js'
import type { WireAnswer } from '../wire/wire-message.js'
import type { Admission } from './admission.js'
import type { Deadlines } from './deadlines.js'
import type { ProxyLimits } from './limits.js'
import { receiveBody } from './receive-body.js'
import { servePage } from './serve-page.js'

/** What all requests of a proxy share. */
export interface Exchanges {
  readonly gateway: Gateway
  readonly clock: Clock
  readonly limits: ProxyLimits
  readonly deadlines: Deadlines
  readonly admission: Admission
  readonly metrics: RequestMetrics
  /** The page with all metrics. */
  readonly metricsText: () => Promise<string>
  /** Names that requests may use for this machine, in addition to those of loopback. */
  readonly hosts: readonly string[]
  /** `undefined` when any credentials are accepted. */
  readonly checkSignature: SignatureCheck | undefined
  /** Pages beside the API. */
  readonly site: Site | undefined
  /** Refuses requests of the API before anything else looks at them. */
  readonly guard: ((request: IncomingMessage) => void) | undefined
  readonly onFailure: (error: unknown, operation: string | undefined) => void
  isStopping(): boolean
}

/** The status that nginx counts for a caller that has not waited for its answer. Nothing is sent. */
const DISCONNECTED = 499

/** Serves one HTTP request. Never rejects. */
export async function serve(
  proxy: Exchanges,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    requireTrusted(proxy.hosts, request)
    if (proxy.site !== undefined && request.url?.startsWith(proxy.site.path)) {
      return proxy.site.serve(request, response)
    }
    if (request.method !== 'POST') return await servePage(proxy, request, response)
    requireRoot(request)
    proxy.guard?.(request)
    await serveOperation(proxy, request, response)
  } catch (error) {
    if (response.destroyed || request.socket.destroyed) return
    const { error: explained, isOurs } = serviceErrorOf(error)
    if (isOurs) proxy.onFailure(error, undefined)
    if (request.method === 'POST') {
      proxy.metrics.record({ operation: undefined, route: 'refused', status: explained.httpStatus })
    }
    // The rest of the request may still be on its way.
    if (!request.complete) response.setHeader('connection', 'close')
    send(proxy, response, errorAnswer(explained))
  }
}

async function serveOperation(
  proxy: Exchanges,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { limits, admission, gateway, clock, checkSignature, metrics } = proxy
  const admitted = admission.admit()
  try {
    if (request.headers.expect !== undefined) response.writeContinue()
    const { body, text } = await receiveBody(request, admitted, limits.bodyBytes)
    checkSignature?.(request, body)
    const from = clock.now()
    const target = request.headers['x-amz-target']
    const wire = {
      target: typeof target === 'string' ? target : undefined,
      headers: request.headers as Record<string, string>,
      body,
      text,
    }
    const routed = await inTime(proxy, response, (signal) => gateway.execute(wire, signal))
    const isAbandoned = response.destroyed
    metrics.record({
      ...routed,
      status: isAbandoned ? DISCONNECTED : routed.answer.status,
      milliseconds: clock.now() - from,
    })
    // Its failure is most often the abort itself.
    if (isAbandoned) return
    if (routed.failure !== undefined) proxy.onFailure(routed.failure, routed.operation)
    send(proxy, response, routed.answer)
  } finally {
    admitted.release()
  }
}

/** Ends the work for a caller that has disconnected, and for one that has waited too long. */
async function inTime(
  { limits, deadlines }: Exchanges,
  response: ServerResponse,
  work: (signal: AbortSignal) => Promise<Routed>,
): Promise<Routed> {
  const controller = new AbortController()
  const onClose = () => controller.abort(new Error('The caller has closed the connection.'))
  response.once('close', onClose)
  let isLate = false
  const answered = deadlines.begin(() => {
    isLate = true
    controller.abort(new Error('The request took too long.'))
  })
  try {
    const routed = await work(controller.signal)
    return isLate && routed.answer.status >= 500 ? late(limits, routed) : routed
  } finally {
    response.off('close', onClose)
    answered()
  }
}

function late({ requestMilliseconds }: ProxyLimits, routed: Routed): Routed {
  const { error } = ours(
    'InternalServerError',
    `The request was ended after ${requestMilliseconds} ms, the limit limits.request of this proxy. A write may have taken effect.`,
    500,
  )
  return { ...routed, answer: errorAnswer(error) }
}

/**
 * A page in a browser can send requests to loopback: by its own host name after DNS rebinding, or from its own origin.
 * @throws ServiceError AccessDeniedException
 */
function requireTrusted(hosts: readonly string[], { headers }: IncomingMessage): void {
  if (isTrustedHost(headers.host, hosts) && isTrustedOrigin(headers.origin, hosts)) return
  throw new ServiceError(
    'AccessDeniedException',
    `isotherm: This proxy does not serve the host '${headers.host ?? ''}'. Call it by the name of its machine, or add the name to allowedHosts.`,
    {},
    403,
  )
}

/** Protocols that name the operation in the path could not be routed. @throws ServiceError */
function requireRoot({ url = '', headers }: IncomingMessage): void {
  const isRoot = url === '/' || url.startsWith('/?')
  const isJson = !/cbor/i.test(headers['content-type'] ?? '')
  if (isRoot && isJson) return
  const message = 'isotherm: This proxy speaks AWS JSON 1.0: send POST requests to the path /.'
  throw new ServiceError('UnknownOperationException', message, {}, 404)
}

function send(proxy: Exchanges, response: ServerResponse, { status, headers, body }: WireAnswer): void {
  if (response.destroyed) return
  if (proxy.isStopping()) response.setHeader('connection', 'close')
  // A caller that does not read its answer would keep it, and its connection, for ever.
  response.setTimeout(proxy.limits.receiveMilliseconds)
  response.writeHead(status, { ...headers, 'content-length': body.length })
  response.end(body)
}
