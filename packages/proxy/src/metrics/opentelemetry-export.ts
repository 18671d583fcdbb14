import type { Meter } from '@opentelemetry/api'
import { ProxyError } from '../errors/proxy-error.js'

/** A meter whose metrics are sent to a collector. */
export interface Export {
  readonly meter: Meter
  /** Sends what is left. */
  stop(): Promise<void>
}

/** Not installed with the proxy, because they take 40 MB and most proxies are scraped. */
const PACKAGES = [
  '@opentelemetry/exporter-metrics-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
]

const MAX_EXPORT_MILLISECONDS = 10_000

type Packages = readonly [
  typeof import('@opentelemetry/exporter-metrics-otlp-http'),
  typeof import('@opentelemetry/resources'),
  typeof import('@opentelemetry/sdk-metrics'),
]

const loadPackages = (): Promise<Packages> =>
  Promise.all([
    import('@opentelemetry/exporter-metrics-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-metrics'),
  ])

/**
 * Sends metrics to a collector, with the SDK of OpenTelemetry.
 * @throws ProxyError `metrics.exporter-missing` if a package of it is not installed
 */
export async function openTelemetryExport(
  url: string,
  everyMilliseconds: number,
  load = loadPackages,
): Promise<Export> {
  const [
    { OTLPMetricExporter },
    { resourceFromAttributes },
    { MeterProvider, PeriodicExportingMetricReader },
  ] = await load().catch(explained)
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url }),
    exportIntervalMillis: everyMilliseconds,
    exportTimeoutMillis: Math.min(MAX_EXPORT_MILLISECONDS, everyMilliseconds),
  })
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'service.name': 'isotherm-proxy' }),
    readers: [reader],
  })
  return { meter: provider.getMeter('isotherm'), stop: () => provider.shutdown() }
}

function explained(error: unknown): never {
  if (Object(error).code !== 'ERR_MODULE_NOT_FOUND') throw error
  throw new ProxyError(
    'metrics.exporter-missing',
    `metrics.otlp needs packages that are not installed. Install them where isotherm is: npm install ${PACKAGES.join(' ')}, with --global if isotherm was. GET /metrics needs none of them.`,
    { packages: PACKAGES },
    error,
  )
}
