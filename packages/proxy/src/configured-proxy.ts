import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Site } from '@isotherm/local'
import type { AccessKey } from '@isotherm/local/service'
import { millisecondsOf } from '@isotherm/runtime'
import type { IsothermEvent, TableMetrics } from 'isotherm'
import type { LimitsConfig, MetricsConfig } from './config/proxy-config.js'
import type { ReadConfig } from './config/read-config.js'
import type { ProxyLimits } from './http/limits.js'
import { type Export, openTelemetryExport } from './metrics/opentelemetry-export.js'
import { DEFAULT_PORT, LOOPBACK, type RunningProxy, startProxy } from './start-proxy.js'
import { cloudWatchClientOf } from './upstream/cloud-watch-client.js'
import { requireOtherUpstream } from './upstream/own-endpoint.js'

const DEFAULT_EXPORT_MILLISECONDS = 60_000

/** What a configuration does not contain. */
export interface ConfiguredProxyOptions {
  readonly client: DynamoDBClient
  /** The access keys of `callers.credentialsFile`. */
  readonly callers?: readonly AccessKey[] | undefined
  /**
   * Checks the configuration beside a proxy that is running with it: the port is any free one, and the upstream is compared with the
   * configured port.
   */
  readonly isCheck?: boolean | undefined
  /** Pages beside the API, such as those of the console. */
  readonly site?: Site | undefined
  /** Called for each event of the library. */
  readonly onEvent?: ((event: IsothermEvent) => void) | undefined
  /** Called for each request that failed for another reason than what the caller sent. */
  readonly onFailure?: ((error: unknown, operation: string | undefined) => void) | undefined
}

/**
 * Starts the proxy of a configuration.
 * @throws ProxyError `config.invalid`, with the line of the option, `metrics.exporter-missing`, `endpoint.port-taken`,
 * `endpoint.listen` or `endpoint.upstream-itself`
 * @example const proxy = await configuredProxy(readConfig('isotherm.yaml'), { client: new DynamoDBClient({}) })
 */
export async function configuredProxy(
  { config, tables, explain }: ReadConfig,
  options: ConfiguredProxyOptions,
): Promise<RunningProxy> {
  const { host, allowedHosts, metrics } = config
  const port = options.isCheck ? 0 : config.port
  const cloudWatch = config.tableMetrics === undefined ? undefined : await cloudWatchClientOf(options.client)
  const sent = await exportOf(metrics)
  const end = async () => {
    cloudWatch?.destroy()
    await sent?.stop()
  }
  try {
    if (options.isCheck) {
      const own = { host: host ?? LOOPBACK, port: config.port ?? DEFAULT_PORT, names: allowedHosts ?? [] }
      await requireOtherUpstream(options.client, own)
    }
    const proxy = await startProxy({
      ...options,
      tables,
      limits: limitsOf(config.limits),
      meters: sent === undefined ? [] : [sent.meter],
      ...(cloudWatch === undefined ? {} : { tableMetrics: await metricsOf(cloudWatch) }),
      ...(port === undefined ? {} : { port }),
      ...(host === undefined ? {} : { host }),
      ...(allowedHosts === undefined ? {} : { allowedHosts }),
      ...(metrics?.hottestKeys === undefined ? {} : { hottestKeys: metrics.hottestKeys }),
    })
    return { ...proxy, stop: () => proxy.stop().finally(end) }
  } catch (error) {
    await end()
    throw explain(error)
  }
}

function limitsOf(config: LimitsConfig = {}): Partial<ProxyLimits> {
  const { request, receive, idle, stop, ...counts } = config
  const limits = {
    ...counts,
    requestMilliseconds: wholeMilliseconds(request),
    receiveMilliseconds: wholeMilliseconds(receive),
    idleMilliseconds: wholeMilliseconds(idle),
    stopMilliseconds: wholeMilliseconds(stop),
  }
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined))
}

/** Node refuses a fraction of a millisecond, which `1.1h` has, too. */
function wholeMilliseconds(duration: string | number | undefined): number | undefined {
  const milliseconds = millisecondsOf(duration)
  return milliseconds === undefined ? undefined : Math.round(milliseconds)
}

async function exportOf({ otlp, every }: MetricsConfig = {}): Promise<Export | undefined> {
  return otlp === undefined
    ? undefined
    : openTelemetryExport(otlp, wholeMilliseconds(every) ?? DEFAULT_EXPORT_MILLISECONDS)
}

async function metricsOf(client: CloudWatchClient): Promise<TableMetrics> {
  const { cloudWatch } = await import('isotherm/cloudwatch')
  return cloudWatch(client)
}
