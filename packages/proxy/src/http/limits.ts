/** What a proxy takes from its callers at a time. Above it, requests are refused with an error that SDKs retry. */
export interface ProxyLimits {
  /** The size of one body. */
  readonly bodyBytes: number
  /** The size of all bodies that are received or executed. */
  readonly allBodiesBytes: number
  /** Requests that are received or executed. */
  readonly requests: number
  /** Connections of callers. More of them are closed at once. */
  readonly connections: number
  /** The time to execute a request. Its outcome is unknown to the caller afterwards. */
  readonly requestMilliseconds: number
  /** The time to receive a request, and the time that a caller may take to read its answer. */
  readonly receiveMilliseconds: number
  /** How long a connection may be idle. SDKs close theirs earlier. */
  readonly idleMilliseconds: number
  /** How long requests may continue when the proxy stops. */
  readonly stopMilliseconds: number
}

export const DEFAULT_LIMITS: ProxyLimits = {
  // The largest request of the API is a batch of 16 MB, which base64 and JSON make larger.
  bodyBytes: 32 * 1024 * 1024,
  allBodiesBytes: 256 * 1024 * 1024,
  requests: 1_024,
  connections: 4_096,
  requestMilliseconds: 50_000,
  receiveMilliseconds: 30_000,
  idleMilliseconds: 75_000,
  // Orchestrators kill a container 30 seconds after they have asked it to stop.
  stopMilliseconds: 25_000,
}
