import type { IncomingMessage } from 'node:http'
import { ServiceError } from '@isotherm/local/service'
import { PAGE_READS, PAGE_WRITES } from '../api/page-operations.js'

const READS: ReadonlySet<string> = new Set(PAGE_READS)
const WRITES: ReadonlySet<string> = new Set(PAGE_WRITES)

const TARGET = /^DynamoDB_20120810\.(\w+)$/

/**
 * Admits requests of the console's own page, for what the page does. They are forwarded with the credentials of the
 * console, so a page of another origin must not send any. A browser sends `Origin` with each POST request, and asks before
 * it sends this content type to another origin.
 */
export function apiGuard(allowsWrites: boolean): (request: IncomingMessage) => void {
  return ({ headers }) => {
    const { host, origin, 'content-type': type, 'sec-fetch-site': site } = headers
    const isOwn = origin === `http://${host}` && (site === undefined || site === 'same-origin')
    if (!isOwn || type !== 'application/x-amz-json-1.0') {
      throw denied(
        'This address forwards requests of its own page only. Use isotherm proxy for applications.',
      )
    }
    const operation = TARGET.exec(String(headers['x-amz-target']))?.[1] ?? 'An unknown operation'
    if (READS.has(operation) || (allowsWrites && WRITES.has(operation))) return
    if (WRITES.has(operation)) {
      throw denied(`${operation} is refused, because this console only reads. Start it with --allow-writes.`)
    }
    throw denied(`${operation} is refused, because the console does not use it.`)
  }
}

function denied(message: string): ServiceError {
  return new ServiceError('AccessDeniedException', `isotherm: ${message}`, {}, 403)
}
