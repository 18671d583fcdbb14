import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Engine } from '../engine/engine.js'
import { malformedHttpRequest, ServiceError } from '../errors/service-error.js'
import type { Awaitable } from '../storage/storage.js'
import { answerCbor, cborErrorResponse, isCbor } from '../wire/aws-cbor.js'
import {
  answerLarge,
  answerOverTurns,
  errorResponse,
  type JsonBody,
  LARGE_BODY_BYTES,
  type WireRequest,
} from '../wire/aws-json.js'
import { answerQuery } from '../wire/aws-query.js'
import type { WireResponse } from '../wire/json-response.js'
import type { BodyAllowance } from './body-allowance.js'
import { compressed, wantsGzip } from './compressed.js'
import { corsHeaders, preflightHeaders } from './cors.js'
import { type BodyOutcome, declaresTooMuch, decodeContent, readBody, tooLarge } from './read-body.js'
import type { SignatureCheck } from './signature-check.js'
import { isTrustedHost, isTrustedOrigin, refusalOf } from './trusted-host.js'

/** Pages and data for people, beside the API. */
export interface Site {
  /** Where its paths begin, such as `/_isotherm/`. A browser that opens `/` is sent there. */
  readonly path: string
  /** Answers a request for a path of it. The caller has been checked: it names this machine as its host. */
  serve(request: IncomingMessage, response: ServerResponse): void
  /** Ends the responses that are still open. */
  close(): void
}

/** The configuration that all requests of an endpoint share. */
export interface Door {
  readonly engine: Engine
  readonly region: string
  /** Names that requests may use for this machine, in addition to those of loopback. */
  readonly hosts: readonly string[]
  /** `undefined` when any credentials are accepted. */
  readonly checkSignature: SignatureCheck | undefined
  readonly onBug: (error: unknown) => void
  readonly site: Site | undefined
  /** The memory for bodies of all connections. */
  readonly bodies: BodyAllowance
}

/** The content types that SDKs send and people type. All mean the same here. */
const JSON_TYPES: ReadonlySet<string> = new Set([
  'application/x-amz-json-1.0',
  'application/x-amz-json-1.1',
  'application/json',
])

const FORM = 'application/x-www-form-urlencoded'
const CBOR = 'application/cbor'

/** A response in any of the protocols. */
type Answer = WireResponse<JsonBody | Uint8Array>

/** Serves one request, from its headers to the end of its response. */
export function serve(door: Door, request: IncomingMessage, response: ServerResponse): void {
  attempt(door, request, response, () => {
    checkCaller(door, request)
    if (door.site !== undefined && request.url?.startsWith(door.site.path)) {
      return door.site.serve(request, response)
    }
    const { origin, expect } = request.headers
    if (origin !== undefined) response.setHeaders(corsHeaders(origin))
    if (request.method === 'POST') {
      checkHead(request)
      if (expect !== undefined) response.writeContinue()
      readBody(request, door.bodies, (body) => serveBody(door, request, response, body))
    } else serveOther(door, request, response)
  })
}

function serveBody(door: Door, request: IncomingMessage, response: ServerResponse, body: BodyOutcome): void {
  attempt(door, request, response, () => {
    if (body instanceof ServiceError) throw body
    door.checkSignature?.(request, body)
    if (request.headers['content-encoding'] === undefined) answerTo(door, request, response, body)
    else
      decodeContent(request, body, door.bodies, (decoded) => serveDecoded(door, request, response, decoded))
  })
}

function serveDecoded(
  door: Door,
  request: IncomingMessage,
  response: ServerResponse,
  body: BodyOutcome,
): void {
  attempt(door, request, response, () => {
    if (body instanceof ServiceError) throw body
    answerTo(door, request, response, body)
  })
}

function answerTo(door: Door, request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const { 'x-amz-target': target, authorization, host } = request.headers
  const wire = { target: typeof target === 'string' ? target : undefined, authorization, host, body }
  const answered = answerBody(door, request, wire)
  const deliver = (result: Answer) => {
    door.bodies.release(request)
    if (!wantsGzip(request, result)) send(response, result)
    else compressed(result).then((smaller) => send(response, smaller))
  }
  if (answered instanceof Promise) answered.then(deliver)
  else deliver(answered)
}

function answerBody(
  { engine, region, onBug }: Door,
  request: IncomingMessage,
  wire: WireRequest,
): Awaitable<Answer> {
  const { length } = wire.body
  const isJson = !isCbor(request.headers) && !isForm(request)
  // Only CloudWatch is asked in these protocols, and no request to it is as large.
  if (!isJson && length > LARGE_BODY_BYTES) throw tooLarge(LARGE_BODY_BYTES)
  if (isCbor(request.headers)) return answerCbor(engine, { ...wire, path: request.url }, region, onBug)
  if (isForm(request)) return answerQuery(engine, wire, region, onBug)
  const answerJson = length > LARGE_BODY_BYTES ? answerLarge : answerOverTurns
  return answerJson(engine, wire, region, onBug)
}

/** Runs a step of an exchange, and answers the errors it throws, because no caller would. */
function attempt(door: Door, request: IncomingMessage, response: ServerResponse, step: () => void): void {
  try {
    step()
  } catch (error) {
    refuse(door, request, response, error)
  }
}

/**
 * A page in a browser can send requests to loopback: by its own host name after DNS rebinding, or from its own origin.
 * @throws ServiceError AccessDeniedException, or MalformedHttpRequestException
 */
function checkCaller(door: Door, { headers, httpVersion, rawHeaders }: IncomingMessage): void {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw malformedHttpRequest('This endpoint speaks HTTP/1.1.')
  }
  // Of two hosts, another program on the way could see the other one.
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length > 1) throw malformedHttpRequest('The request has more than one Host header.')
  if (isTrustedHost(headers.host, door.hosts) && isTrustedOrigin(headers.origin, door.hosts)) return
  const message = refusalOf(headers.host, headers.origin, door.hosts)
  throw new ServiceError('AccessDeniedException', message, {}, 403)
}

/** Checks a POST before its body is read. @throws ServiceError */
function checkHead(request: IncomingMessage): void {
  const { url = '', headers } = request
  const cbor = isCbor(headers)
  // Only in CBOR does the path name the operation.
  if (!cbor && url !== '/' && !url.startsWith('/?')) {
    throw unknownOperation(404, 'Requests go to the path /.')
  }
  const type = headers['content-type']
  // Pages may send forms without a preflight request. Older CloudWatch clients send forms too, and none of their
  // operations changes data.
  const isKnown =
    type === undefined ||
    (cbor ? essence(type) === CBOR : JSON_TYPES.has(type) || JSON_TYPES.has(essence(type)) || isForm(request))
  if (!isKnown) {
    const known = cbor ? CBOR : 'application/x-amz-json-1.0'
    throw unknownOperation(404, `The Content-Type is unknown here; send ${known}.`)
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    throw malformedHttpRequest('The Expect header is unknown here; send 100-continue, or none.', 417)
  }
  if (declaresTooMuch(request)) throw tooLarge()
}

/** Whether a request uses the query protocol of older CloudWatch clients. */
function isForm({ headers }: IncomingMessage): boolean {
  const type = headers['content-type']
  return headers['x-amz-target'] === undefined && type !== undefined && essence(type) === FORM
}

/** The content type without its parameters, such as a charset. */
function essence(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()
}

function unknownOperation(status: number, message: string): ServiceError {
  return new ServiceError('UnknownOperationException', message, {}, status)
}

/** Answers requests that are not API calls: people, load balancers, and preflight requests of browsers. */
function serveOther(door: Door, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers: asked } = request
  const isRoot = request.url === '/' || request.url?.startsWith('/?') === true
  if ((method === 'GET' || method === 'HEAD') && !isRoot) {
    refuse(door, request, response, unknownOperation(404, 'Only / answers GET.'))
  } else if (method === 'GET' && door.site !== undefined && asked.accept?.includes('text/html')) {
    response.writeHead(302, { location: door.site.path, 'content-length': '0' })
    response.end()
  } else if (method === 'GET' || method === 'HEAD') {
    const body = `healthy: dynamodb.${door.region}.amazonaws.com\n`
    const headers = { 'content-type': 'text/plain', 'content-length': String(body.length) }
    send(response, { status: 200, headers, body, bytes: body.length })
  } else if (method === 'OPTIONS' && asked.origin !== undefined) {
    send(response, { status: 200, headers: preflightHeaders(request), body: '', bytes: 0 })
  } else {
    refuse(door, request, response, unknownOperation(405, 'DynamoDB requests are POST requests.'))
  }
}

function refuse(door: Door, request: IncomingMessage, response: ServerResponse, error: unknown): void {
  door.bodies.release(request)
  if (isCbor(request.headers)) {
    cborErrorResponse(error, door.onBug).then((result) => sendRefusal(request, response, result))
  } else sendRefusal(request, response, errorResponse(error, door.onBug))
}

function sendRefusal(request: IncomingMessage, response: ServerResponse, result: Answer): void {
  // The client may or may not send its body after this, so the connection must be closed.
  if (result.status === 413 || request.headers.expect !== undefined) {
    response.setHeader('connection', 'close')
  }
  if (result.status === 405) response.setHeader('allow', 'POST, GET, HEAD, OPTIONS')
  send(response, result)
}

function send(response: ServerResponse, { status, headers, body, bytes }: Answer): void {
  response.writeHead(status, headers)
  if (Array.isArray(body)) {
    for (const piece of body) response.write(piece)
    response.end()
    return
  }
  // ASCII is written directly, which is faster. Other text has to be encoded first.
  response.end(body, bytes === body.length ? 'latin1' : 'utf8')
}
