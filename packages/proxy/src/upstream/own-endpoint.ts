import { type DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { hostHeaderOf, isTrustedHost } from '@isotherm/local/service'
import { ProxyError } from '../errors/proxy-error.js'
import { addressOf, type UpstreamEndpoint, upstreamEndpoint } from './upstream-endpoint.js'

/** Where a proxy listens. */
export interface Own {
  /** The address that it is bound to. */
  readonly host: string
  readonly port: number
  /** Its names besides those of loopback. */
  readonly names: readonly string[]
}

/** Addresses at which a server gets the requests to loopback. */
const WITH_LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1?|0\.0\.0\.0)$/i

/**
 * Checks that requests to an upstream do not come back to the proxy, which would forward them until its limits are reached. It happens
 * where the proxy has the environment of its callers, which names the proxy as their endpoint.
 *
 * @throws ProxyError `endpoint.upstream-itself`
 */
export function requireOther(upstream: UpstreamEndpoint, { host, port, names }: Own): void {
  const { protocol, hostname, port: given = protocol === 'https:' ? 443 : 80 } = upstream
  if (given !== port) return
  const own = [host, ...names].map(hostHeaderOf)
  const isOwn = WITH_LOOPBACK.test(host) ? isTrustedHost(hostname, own) : own.includes(hostname.toLowerCase())
  if (!isOwn) return
  const address = addressOf(upstream)
  throw new ProxyError(
    'endpoint.upstream-itself',
    `The upstream ${address} is this proxy itself, so no request would end. Name another upstream, or start the proxy without the variables AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_DYNAMODB and AWS_ENDPOINT_URL_DYNAMODB_STREAMS of its callers.`,
    { upstream: address, host, port },
  )
}

/**
 * The same for the endpoint of a client.
 * @throws ProxyError `endpoint.upstream-itself`
 */
export async function requireOtherUpstream(client: DynamoDBClient, own: Own): Promise<void> {
  const resolving = upstreamEndpoint(client, new ListTablesCommand({}) as never)
  await findLoop(resolving.then((upstream) => requireOther(upstream, own)))
}

/** Finds a loop at once, and not by the first request. Other faults, such as a missing region, may be gone by then. */
export async function findLoop(resolving: Promise<unknown>): Promise<void> {
  await resolving.catch((error: unknown) => {
    if (error instanceof ProxyError) throw error
  })
}
