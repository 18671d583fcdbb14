import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { otherEngine } from '@isotherm/proxy/upstream'
import { CommandError } from './command-error.js'

const ANSWER_MILLISECONDS = 2_000
/** The page at `/` of a proxy. */
const PROXY = /^healthy: isotherm proxy for (\S+)/

/**
 * Refuses a proxy as the endpoint of a command that reads and moves items under their stored keys. The proxy shows logical ones, so a
 * rebuild would find every item in the first shard of its key, after it has emptied the shard map. `AWS_ENDPOINT_URL_DYNAMODB` names
 * the proxy for its callers, and often for the shell of the person, too.
 *
 * @throws CommandError that names the endpoint of the upstream
 */
export async function requireStoredKeys(client: DynamoDBClient): Promise<void> {
  const endpoint = await otherEngine(client)
  const upstream = endpoint && (await upstreamOfProxy(endpoint))
  if (upstream === undefined) return
  throw new CommandError(
    `The endpoint ${endpoint?.origin} is an isotherm proxy, which shows logical keys; this command needs the stored ones. Name the endpoint behind it: --endpoint ${upstream}.`,
  )
}

async function upstreamOfProxy(endpoint: URL): Promise<string | undefined> {
  try {
    const response = await fetch(new URL('/', endpoint), { signal: AbortSignal.timeout(ANSWER_MILLISECONDS) })
    return PROXY.exec(await response.text())?.[1]
  } catch {
    return undefined
  }
}
