/** Where a client of the SDK sends its requests. */
export interface UpstreamEndpoint {
  readonly protocol: string
  readonly hostname: string
  readonly port?: number
  readonly path: string
}

/** The address for people, such as `https://dynamodb.eu-central-1.amazonaws.com`. */
export function addressOf({ protocol, hostname, port }: UpstreamEndpoint): string {
  return `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`
}

/** A command of any client of the SDK. */
export interface Probe {
  readonly middlewareStack: { add(middleware: never, options: never): void }
}

type Middleware = (next: unknown) => (args: { readonly request: unknown }) => Promise<object>

/**
 * The endpoint of a client. The SDK resolves it from its settings, the environment and profiles while it builds a request,
 * so a request is built and not sent.
 */
export async function upstreamEndpoint<Command extends Probe>(
  client: { send(command: Command): Promise<unknown> },
  command: Command,
): Promise<UpstreamEndpoint> {
  let built: unknown
  const keep: Middleware = () => async (args) => {
    built = args.request
    return { response: {}, output: { $metadata: {} } }
  }
  command.middlewareStack.add(keep as never, { step: 'build', priority: 'low', name: 'keepRequest' } as never)
  await client.send(command)
  const { protocol = 'https:', hostname = '', port, path = '/' } = Object(built) as Partial<UpstreamEndpoint>
  return { protocol, hostname, path, ...(port === undefined ? {} : { port }) }
}
