import { isIPv6 } from 'node:net'

/** Longer names of hosts are rare, and a client could send kilobytes. */
const MAX_SHOWN_CHARACTERS = 100

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a `Host` header may contain a value before its port. An IPv6 address may have its brackets. */
export function isHostName(value: unknown): boolean {
  if (typeof value !== 'string') return false
  return isIPv6(value.replace(/^\[(.*)\]$/, '$1')) || /^[^\s:/?#@*[\]]+$/.test(value)
}

/** A name as it is in the `Host` header of clients: in small letters, and an IPv6 address in brackets. */
export function hostHeaderOf(name: string): string {
  return isIPv6(name) ? `[${name.toLowerCase()}]` : name.toLowerCase()
}

/** Why a request is refused that is not trusted, and what allows it. */
export function refusalOf(
  host: string | undefined,
  origin: string | undefined,
  allowed: readonly string[],
): string {
  if (host === undefined) return 'The request has no Host header. Send the name of the endpoint in it.'
  const isOrigin = isTrustedHost(host, allowed)
  const what = isOrigin ? `answer pages of ${shown(origin)}` : `serve the host ${shown(host)}`
  return `This endpoint does not ${what}. Call it as localhost, or allow the name: allowedHosts of listen and startLocal, --allow-host NAME of the command.`
}

/** Clients choose it, and logs and pages may show it: so only what names consist of, and not much of it. */
function shown(sent = ''): string {
  const printable = sent.slice(0, MAX_SHOWN_CHARACTERS).replace(/[^\w.:/[\]-]/g, '?')
  return `'${printable}${sent.length > MAX_SHOWN_CHARACTERS ? '...' : ''}'`
}

/** Whether a request's host is this machine, or an allowed name. */
export function isTrustedHost(host: string | undefined, allowed: readonly string[]): boolean {
  return host !== undefined && isTrustedName(nameOf(host), allowed)
}

/** Whether a request comes from outside web pages, or from a page of this machine. */
export function isTrustedOrigin(origin: string | undefined, allowed: readonly string[]): boolean {
  if (origin === undefined) return true
  return URL.canParse(origin) && isTrustedName(new URL(origin).hostname.toLowerCase(), allowed)
}

function isTrustedName(name: string, allowed: readonly string[]): boolean {
  return LOOPBACK_NAMES.has(name) || name.endsWith('.localhost') || allowed.includes(name)
}

/** The host without its port. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase()
}
