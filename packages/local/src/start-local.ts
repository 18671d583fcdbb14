import { LocalError } from './errors/local-error.js'
import { createLocal, type Local, type LocalOptions } from './local.js'
import { LOCAL } from './local-rules.js'
import { checked } from './options/rules.js'
import { ENDPOINT } from './transport/endpoint-rules.js'
import type { EndpointOptions } from './transport/http-endpoint.js'

/** Options of `startLocal`. */
export interface StartOptions extends LocalOptions, Partial<Omit<EndpointOptions, 'port'>> {
  /** 0 to 65535; 0 takes any free port. Without a port, no socket is opened. */
  readonly port?: number | undefined
}

/** A local DynamoDB that other processes can reach. */
export interface LocalWithEndpoint extends Local {
  /** The URL of its endpoint, such as `http://127.0.0.1:8000`. */
  readonly url: string
}

/**
 * Starts a local DynamoDB for tests. Clients in this process need no socket, so none is opened unless `port` is given.
 * Port 0 selects a free port, and `url` contains it.
 *
 * @example
 * const local = await startLocal()
 * const client = local.client()
 * await local.close()
 * @example
 * await using local = await startLocal({ port: 0 })
 * spawn('python', ['load.py', '--endpoint-url', local.url])
 * @throws LocalError `options.invalid` or `options.unknown`; others when the port, or a directory, cannot be used. A start that
 *   fails removes the data directory and the trace that it has created.
 */
export function startLocal(options: StartOptions & { readonly port: number }): Promise<LocalWithEndpoint>
export function startLocal(options?: StartOptions): Promise<Local>
export async function startLocal(options: StartOptions = {}): Promise<Local | LocalWithEndpoint> {
  const given = checked('startLocal', options, { ...LOCAL, ...ENDPOINT })
  const { port, host, allowedHosts, credentials, timeouts, site, ...rest } = given
  const others = Object.entries({ host, allowedHosts, credentials, timeouts, site }).filter(
    ([, value]) => value !== undefined,
  )
  if (port === undefined) {
    const [first] = others
    if (first === undefined) return createLocal(rest)
    const message = `An endpoint with the option ${first[0]} needs a port, too; 0 takes any that is free.`
    throw new LocalError('options.invalid', message, { option: `startLocal.${first[0]}` })
  }
  const local = createLocal(rest)
  try {
    const { url } = await local.listen({ port, ...Object.fromEntries(others) })
    return { ...local, url }
  } catch (error) {
    await local.close()
    throw error
  }
}
