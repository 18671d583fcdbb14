import type { Leased } from './claim-operation.js'
import { printed } from './printed.js'

const MOST_REASON = 1_000

/** The reason of a failed attempt. */
export function reasonOf(error: unknown): string {
  return shortened(printed(error))
}

/** The reason of an operation whose attempts are used up without an end. */
export function wornReason({ attempts, error }: Leased): string {
  const before = error === undefined ? '' : ` The last error before: ${error}`
  return shortened(`Its worker ended, or was not heard of, in the last of ${attempts - 1} attempts.${before}`)
}

/** Without half surrogate pairs, which UTF-8 cannot represent. A cut may leave one. */
function shortened(text: string): string {
  return text.slice(0, MOST_REASON).replace(/\p{Cs}/gu, '')
}
