import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Site } from '@isotherm/local'
import type { AccessKey } from '@isotherm/local/service'
import type { MetricReader } from '@opentelemetry/sdk-metrics'
import type { IsothermEvent, TableMetrics } from 'isotherm'
import type { ProxyConfig } from './config/proxy-config.js'
import type { ReadConfig } from './config/read-config.js'
import type { ProxyLimits } from './http/limits.js'
import { milliseconds } from './milliseconds.js'
import { type RunningProxy, startProxy } from './start-proxy.js'

/** What a configuration does not contain. */
export interface ConfiguredProxyOptions {
  readonly client: DynamoDBClient
  /** The access keys of `callers.credentialsFile`. */
  readonly callers?: readonly AccessKey[]
  /** Pages beside the API, such as those of the console. */
  readonly site?: Site
  readonly onEvent?: (event: IsothermEvent) => void
  readonly onFailure?: (error: unknown, operation: string | undefined) => void
}

/**
 * Starts the proxy of a configuration.
 * @throws ProxyError `config.invalid`, with the line of the option, `endpoint.port-taken` or `endpoint.listen`
 * @example const proxy = await configuredProxy(readConfig('isotherm.yaml'), { client: new DynamoDBClient({}) })
 */
export async function configuredProxy(
  { config, tables, explain }: ReadConfig,
  options: ConfiguredProxyOptions,
): Promise<RunningProxy> {
  const { port, host, allowedHosts, metrics } = config
  const tableMetrics = config.tableMetrics === undefined ? undefined : await cloudWatchMetrics(options.client)
  try {
    return await startProxy({
      ...options,
      tables,
      limits: limitsOf(config.limits),
      metricReaders: await exporters(metrics),
      ...(tableMetrics === undefined ? {} : { tableMetrics }),
      ...(port === undefined ? {} : { port }),
      ...(host === undefined ? {} : { host }),
      ...(allowedHosts === undefined ? {} : { allowedHosts }),
      ...(metrics?.hottestKeys === undefined ? {} : { hottestKeys: metrics.hottestKeys }),
    })
  } catch (error) {
    throw explain(error)
  }
}

function limitsOf(config: ProxyConfig['limits'] = {}): Partial<ProxyLimits> {
  const { request, receive, idle, stop, ...counts } = config
  const limits = {
    ...counts,
    requestMilliseconds: request && milliseconds(request),
    receiveMilliseconds: receive && milliseconds(receive),
    idleMilliseconds: idle && milliseconds(idle),
    stopMilliseconds: stop === undefined ? undefined : milliseconds(stop),
  }
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined))
}

/** Loaded where a collector is configured only. */
async function exporters(metrics: ProxyConfig['metrics'] = {}): Promise<readonly MetricReader[]> {
  const { otlp, every = '60s' } = metrics
  if (otlp === undefined) return []
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http')
  const { PeriodicExportingMetricReader } = await import('@opentelemetry/sdk-metrics')
  const exportIntervalMillis = milliseconds(every)
  const exporter = new OTLPMetricExporter({ url: otlp })
  const exportTimeoutMillis = Math.min(10_000, exportIntervalMillis)
  return [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis, exportTimeoutMillis })]
}

async function cloudWatchMetrics({ config }: DynamoDBClient): Promise<TableMetrics> {
  const { CloudWatchClient } = await import('@aws-sdk/client-cloudwatch')
  const { cloudWatch } = await import('isotherm/cloudwatch')
  return cloudWatch(new CloudWatchClient({ region: config.region, credentials: config.credentials }))
}
