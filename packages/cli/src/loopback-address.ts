/** Addresses to bind to at which only this machine reaches a server. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/i

/** Whether a server at this address is for this machine alone. */
export function isLoopbackAddress(host: string): boolean {
  return LOOPBACK.test(host)
}
