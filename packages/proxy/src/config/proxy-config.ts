/** What a configuration file of the proxy says, but for its tables. A duration is a text such as `60s`, or milliseconds. */
export interface ProxyConfig {
  /** The upstream's region; the SDK's own without it. */
  readonly region?: string | undefined
  /** The profile of the credentials for the upstream. */
  readonly profile?: string | undefined
  /** The endpoint that requests go to; Amazon DynamoDB without it. */
  readonly upstream?: string | undefined
  /** Connections to the upstream; 256 without it. */
  readonly upstreamConnections?: number | undefined
  /** The port to listen on; 8010 without it, 0 takes any free one. */
  readonly port?: number | undefined
  /** The address to bind to; 127.0.0.1 without it. */
  readonly host?: string | undefined
  /** Names of this machine in the Host header of requests, besides those of loopback. */
  readonly allowedHosts?: readonly string[] | undefined
  /** The access keys that callers must sign with. Any are accepted without it. */
  readonly callers?: { readonly credentialsFile: string } | undefined
  /** What the proxy takes from its callers at a time. */
  readonly limits?: LimitsConfig | undefined
  /** The metrics that the proxy sends, besides its page for Prometheus. */
  readonly metrics?: MetricsConfig | undefined
  /** Tells a hot partition from a small table where the service gives no reason for throttles. */
  readonly tableMetrics?: 'cloudWatch' | undefined
}

/** The limits in a configuration file. */
export interface LimitsConfig {
  /** The size of one body in bytes; 32 MB without it. */
  readonly bodyBytes?: number | undefined
  /** The size of all bodies in progress, in bytes; 256 MB without it. */
  readonly allBodiesBytes?: number | undefined
  /** Requests in progress; 1,024 without it. */
  readonly requests?: number | undefined
  /** Connections of callers; 4,096 without it. */
  readonly connections?: number | undefined
  /** The time to execute a request; 50s without it. */
  readonly request?: string | number | undefined
  /** The time to receive a request; 30s without it. */
  readonly receive?: string | number | undefined
  /** How long a connection may be idle; 75s without it. */
  readonly idle?: string | number | undefined
  /** How long requests may continue when the proxy stops; 25s without it. */
  readonly stop?: string | number | undefined
}

/** Where a configuration file sends the proxy's metrics. */
export interface MetricsConfig {
  /** The collector that OpenTelemetry metrics are sent to. */
  readonly otlp?: string | undefined
  /** How often they are sent; 60s without it. */
  readonly every?: string | number | undefined
  /** How many of each table's hottest keys are gauges. */
  readonly hottestKeys?: number | undefined
}
