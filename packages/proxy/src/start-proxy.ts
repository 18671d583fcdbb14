import type { IncomingMessage } from 'node:http'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Site } from '@isotherm/local'
import { type AccessKey, hostHeaderOf, signatureCheck } from '@isotherm/local/service'
import { SystemClock } from '@isotherm/runtime'
import type { Meter } from '@opentelemetry/api'
import type { IsothermEvent, IsothermMethods, IsothermOptions } from 'isotherm'
import { openTelemetryMetrics } from 'isotherm/opentelemetry'
import { Gateway } from './gateway/gateway.js'
import { Admission } from './http/admission.js'
import { Deadlines } from './http/deadlines.js'
import type { Exchanges } from './http/exchange.js'
import { DEFAULT_LIMITS, type ProxyLimits } from './http/limits.js'
import { listen } from './http/listen.js'
import { PageMeter } from './metrics/page-meter.js'
import { RequestMetrics } from './metrics/request-metrics.js'
import { findLoop, requireOther } from './upstream/own-endpoint.js'

/** Options of `startProxy`. */
export interface ProxyOptions extends Omit<IsothermOptions, 'clock'> {
  /** The client of the upstream: its endpoint, region, credentials and connections. The proxy destroys it when it stops. */
  readonly client: DynamoDBClient
  /** 0 to 65535; 0 takes any free port. The default is 8010. */
  readonly port?: number | undefined
  /** The address to bind to. The default is loopback. */
  readonly host?: string | undefined
  /** Names that requests may use in their `Host` header, in addition to those of this machine's loopback. */
  readonly allowedHosts?: readonly string[] | undefined
  /** The access keys that callers must sign with. The default is to accept any credentials. */
  readonly callers?: readonly AccessKey[] | undefined
  readonly limits?: Partial<ProxyLimits> | undefined
  /** Meters of OpenTelemetry that get all metrics of the page, too, such as one of a provider that exports them. */
  readonly meters?: readonly Meter[] | undefined
  /** How many of each table's hottest keys are gauges. The default is 1. */
  readonly hottestKeys?: number | undefined
  /** Pages beside the API, such as those of the console. Not served when `callers` have to sign, as a browser cannot. */
  readonly site?: Site | undefined
  /**
   * Called for each request of the API, before its body is read. A `ServiceError` that it throws is the answer.
   */
  readonly guard?: ((request: IncomingMessage) => void) | undefined
  /**
   * Called for a request that failed because of the proxy, its configuration or its upstream. While the credentials of the proxy are not
   * valid, it is called for the first such request only.
   */
  readonly onFailure?: ((error: unknown, operation: string | undefined) => void) | undefined
}

/** A running proxy. */
export interface RunningProxy {
  /** The URL for callers, such as `http://127.0.0.1:8010`. */
  readonly url: string
  readonly port: number
  /** The client of the library, for its heat and its manual controls. */
  readonly db: DynamoDBClient & IsothermMethods
  /** Accepts no more requests, ends those in progress within `limits.stopMilliseconds`, and releases the port. */
  stop(): Promise<void>
}

export const DEFAULT_PORT = 8010
export const LOOPBACK = '127.0.0.1'

/**
 * Starts a DynamoDB endpoint whose requests go through the library to the endpoint of a client. Applications in any language
 * use it as they use DynamoDB.
 *
 * @throws IsothermError `options.unknown` or `options.invalid`, for options of the library; ProxyError
 * `endpoint.port-taken`, `endpoint.listen` or `endpoint.upstream-itself`
 * @example
 * const proxy = await startProxy({
 *   client: new DynamoDBClient({ region: 'eu-central-1' }),
 *   tables: {
 *     audit_log: { partitionKey: 'file_path', sortKey: 'accessed_at', suffix: 'random', shards: dynamicShards() },
 *   },
 * })
 * console.log(proxy.url)
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { client, port = DEFAULT_PORT, host = LOOPBACK, allowedHosts = [], callers } = options
  const clock = new SystemClock({ noticesSuspension: true })
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const page = new PageMeter({ service: 'isotherm-proxy', scope: 'isotherm' })
  const meters = [page, ...(options.meters ?? [])]
  const hottestKeys = options.hottestKeys ?? 1
  const telemetry = meters.map((meter) => openTelemetryMetrics({ meter, hottestKeys }))
  const count = (event: IsothermEvent) => {
    for (const { onEvent } of telemetry) onEvent(event)
  }
  const onFailure = options.onFailure ?? (() => undefined)
  let boundPort: number | undefined
  const gateway = new Gateway({
    client,
    clock,
    options: libraryOptions(options, count),
    checkUpstream: (endpoint) => {
      if (boundPort !== undefined) requireOther(endpoint, { host, port: boundPort, names: allowedHosts })
    },
    onCredentialFailure: onFailure,
  })
  for (const { observe } of telemetry) observe(gateway.db)
  const admission = new Admission(limits)
  let connections = () => 0
  let isStopping = false
  const exchanges: Exchanges = {
    gateway,
    clock,
    limits,
    deadlines: new Deadlines(clock, limits.requestMilliseconds),
    admission,
    metrics: new RequestMetrics(meters, () => ({
      requests: admission.requests,
      bodyBytes: admission.bodyBytes,
      connections: connections(),
    })),
    metricsText: () => page.text(),
    hosts: [host, ...allowedHosts].map(hostHeaderOf),
    checkSignature: callers === undefined ? undefined : signatureCheck(callers, clock),
    site: callers === undefined ? options.site : undefined,
    guard: options.guard,
    onFailure,
    isStopping: () => isStopping,
  }
  const listening = await listen(exchanges, port, host).catch((error: unknown) => {
    gateway.destroy()
    throw error
  })
  connections = listening.connections
  boundPort = listening.port
  try {
    await findLoop(gateway.upstream.address())
  } catch (error) {
    await listening.stop()
    gateway.destroy()
    throw error
  }
  return {
    url: listening.url,
    port: listening.port,
    db: gateway.db,
    async stop() {
      isStopping = true
      options.site?.close()
      await listening.stop()
      gateway.destroy()
    },
  }
}

function libraryOptions(options: ProxyOptions, count: (event: IsothermEvent) => void): IsothermOptions {
  const { tables, secondLevelCache, tableMetrics, random, onEvent } = options
  return {
    tables,
    ...(secondLevelCache === undefined ? {} : { secondLevelCache }),
    ...(tableMetrics === undefined ? {} : { tableMetrics }),
    ...(random === undefined ? {} : { random }),
    onEvent: (event) => {
      count(event)
      onEvent?.(event)
    },
  }
}
