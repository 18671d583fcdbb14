/** What the generator of load shall send. */
export interface LoadOrder {
  readonly port: number
  readonly protocol: 'http' | 'redis'
  /** The name of a measured operation. Without it, the service is filled. */
  readonly operation: string | undefined
  readonly connections: number
  /** For how long requests are sent, one on each connection at least. Or how many. Or each prepared one once. */
  readonly until: { readonly seconds: number } | { readonly requests: number } | 'all are sent'
}

/** What it saw. */
export interface LoadReport {
  readonly requests: number
  readonly seconds: number
  readonly p50: number
  readonly p99: number
  /** The processor time of the generator itself, in microseconds. */
  readonly microseconds: number
  /** The first answer, so that it can be looked at. */
  readonly answer: string
}
