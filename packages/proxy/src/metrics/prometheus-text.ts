import type { Attributes, AttributeValue } from '@opentelemetry/api'
import type { Distribution, PageInstrument } from './page-instruments.js'
import type { Series } from './series.js'

/**
 * The text format of Prometheus, with the names and labels that OpenTelemetry's exporter would give the metrics.
 *
 * Source: https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function prometheusText({ service, scope }: Source, instruments: readonly PageInstrument[]): string {
  const target = `# HELP target_info Target metadata\n# TYPE target_info gauge\n${line('target_info', { 'service.name': service }, 1)}\n`
  return target + instruments.map((each) => blockOf(each, { 'otel.scope.name': scope })).join('')
}

/** Where metrics come from. */
export interface Source {
  readonly service: string
  /** The instrumentation, which is a label of all series. */
  readonly scope: string
}

/** An instrument without values has no block. */
function blockOf(instrument: PageInstrument, scope: Attributes): string {
  const measured = instrument.measured()
  if (measured.series.length === 0) return ''
  const { description = '', unit } = instrument.options
  const name = nameOf(instrument.name, measured.type)
  const head = [
    `# HELP ${name} ${escaped(description || 'description missing')}`,
    ...(unit === undefined || unit === '' ? [] : [`# UNIT ${name} ${escaped(unit)}`]),
    `# TYPE ${name} ${measured.type}`,
  ]
  const lines =
    measured.type === 'histogram'
      ? measured.series.flatMap((series) => distributionLines(name, measured.boundaries, series, scope))
      : measured.series.map(({ attributes, value }) => line(name, { ...attributes, ...scope }, value))
  return `${[...head, ...lines].join('\n')}\n`
}

function distributionLines(
  name: string,
  boundaries: readonly number[],
  { attributes, value }: Series<Distribution>,
  scope: Attributes,
): readonly string[] {
  const labels = { ...attributes, ...scope }
  let upTo = 0
  const buckets = value.buckets.map((count, index) => {
    upTo += count
    return line(`${name}_bucket`, { ...labels, le: String(boundaries[index] ?? '+Inf') }, upTo)
  })
  return [line(`${name}_count`, labels, value.count), line(`${name}_sum`, labels, value.sum), ...buckets]
}

function line(name: string, attributes: Attributes, value: number): string {
  const labels = Object.entries(attributes).map(([label, text]) => `${plain(label)}="${labelValue(text)}"`)
  return `${name}{${labels.join(',')}} ${numberText(value)}`
}

function numberText(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value)
  return value > 0 ? '+Inf' : '-Inf'
}

function nameOf(dotted: string, type: string): string {
  const name = plain(dotted)
  return type === 'counter' && !name.endsWith('_total') ? `${name}_total` : name
}

function plain(name: string): string {
  return name.replace(/[^a-z0-9_]/gi, '_').replace(/_{2,}/g, '_')
}

function labelValue(value: AttributeValue = ''): string {
  return escaped(typeof value === 'string' ? value : JSON.stringify(value)).replace(/"/g, '\\"')
}

function escaped(text: string): string {
  return text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')
}
