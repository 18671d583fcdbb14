const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

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
