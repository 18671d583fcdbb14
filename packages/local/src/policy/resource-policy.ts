import { invalidParameters } from '../errors/service-error.js'
import { isJsonObject } from '../json/json-kind.js'

const MAX_POLICY_BYTES = 20 * 1024

/** A policy of a table or a stream: its text in JSON, and a number that grows with each change. It is not enforced. */
export interface ResourcePolicy {
  readonly text: string
  readonly revision: string
}

/**
 * The policy after the present one. The same text keeps its revision.
 * @throws ServiceError for a policy that is not a JSON object, or too long.
 */
export function nextPolicy(present: ResourcePolicy | undefined, text: string, now: number): ResourcePolicy {
  checkPolicy(text)
  if (present?.text === text) return present
  return { text, revision: String(Math.max(Math.floor(now), Number(present?.revision ?? 0) + 1)) }
}

function checkPolicy(text: string): void {
  if (Buffer.byteLength(text) > MAX_POLICY_BYTES) {
    throw invalidParameters(`Maximum policy size of ${MAX_POLICY_BYTES} bytes exceeded`)
  }
  let policy: unknown
  try {
    policy = JSON.parse(text)
  } catch {
    policy = undefined
  }
  if (!isJsonObject(policy)) {
    throw invalidParameters('Invalid policy document: This policy contains invalid Json')
  }
}
