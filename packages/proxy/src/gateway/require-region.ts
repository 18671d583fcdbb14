import { ServiceError } from '@isotherm/local/service'

const CREDENTIAL_REGION = /Credential=[^/,\s]+\/\d{8}\/([a-z0-9-]{1,64})\//

/**
 * Checks that a request was signed for the region of the upstream. A request for another region would read and write the
 * wrong table.
 * @throws ServiceError in the service's words
 */
export function requireRegion(authorization: string | undefined, region: string): void {
  const signed = authorization === undefined ? undefined : CREDENTIAL_REGION.exec(authorization)?.[1]
  if (signed === undefined || signed === region) return
  throw new ServiceError(
    'InvalidSignatureException',
    `Credential should be scoped to a valid region, not '${signed}': this proxy serves ${region}. Set the region of the client, or start a proxy for ${signed}.`,
  )
}
