import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { AggregationTemporality, MetricReader } from '@opentelemetry/sdk-metrics'

/** Collects all metrics when they are asked for, in the text format of Prometheus. */
export class MetricsPage extends MetricReader {
  readonly #serializer = new PrometheusSerializer()

  constructor() {
    super({ aggregationTemporalitySelector: () => AggregationTemporality.CUMULATIVE })
  }

  /** The page that Prometheus reads. */
  async text(): Promise<string> {
    const { resourceMetrics } = await this.collect()
    return this.#serializer.serialize(resourceMetrics)
  }

  protected override async onForceFlush(): Promise<void> {}

  protected override async onShutdown(): Promise<void> {}
}
