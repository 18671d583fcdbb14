import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'

/** More sockets than the SDK's 50: the workload sends writes when they are due, however slow the responses are. */
const MAX_SOCKETS = 256
const CONNECTION_TIMEOUT_MILLISECONDS = 5_000
/** For an engine on this machine, where nothing names a region. */
const LOOPBACK_REGION = 'us-east-1'
/** How the SDK says that nothing names a region. The variable of a secret that is not set is empty. */
const NO_REGION = /^Region is missing$|region=""/

/** How to connect, where the defaults do not serve. */
export interface ConnectionOptions {
  /** The profile of the credentials. */
  readonly profile?: string
  /** Connections that replace the SDK's own. */
  readonly requestHandler?: NonNullable<DynamoDBClientConfig['requestHandler']>
  /** Attempts of a request; the SDK's own without it. */
  readonly maxAttempts?: number
}

/**
 * A client for an endpoint, or for Amazon DynamoDB. Only an endpoint on this machine gets made-up credentials. Any
 * other gets those that the SDK finds (environment, profile, role). The region is the SDK's own everywhere, because the
 * region decides which tables of an engine a client sees: another one than that of the application hides its tables.
 */
export function connectTo(
  endpoint: URL | undefined,
  region: string | undefined,
  { profile, requestHandler, maxAttempts }: ConnectionOptions = {},
): DynamoDBClient {
  const isLocal = endpoint !== undefined && isLoopback(endpoint.hostname)
  const chosenRegion = region ?? (isLocal ? regionOnLoopback(profile) : undefined)
  return new DynamoDBClient({
    ...(endpoint === undefined ? {} : { endpoint: endpoint.href }),
    requestHandler: requestHandler ?? {
      connectionTimeout: CONNECTION_TIMEOUT_MILLISECONDS,
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
    ...(chosenRegion === undefined ? {} : { region: chosenRegion }),
    ...(maxAttempts === undefined ? {} : { maxAttempts }),
    ...(profile === undefined ? {} : { profile }),
    ...(isLocal && profile === undefined
      ? { credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
      : {}),
  })
}

/** The region that the SDK finds (environment, profile), which is read once, or else a usual one. */
function regionOnLoopback(profile: string | undefined): () => Promise<string> {
  let region: Promise<string> | undefined
  return () => {
    region ??= new DynamoDBClient(profile === undefined ? {} : { profile }).config
      .region()
      .catch((error: unknown) => {
        if (isWithoutRegion(error)) return LOOPBACK_REGION
        throw error
      })
    return region
  }
}

/** Whether the SDK has found no region. */
export function isWithoutRegion(error: unknown): boolean {
  return error instanceof Error && NO_REGION.test(error.message)
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  )
}
