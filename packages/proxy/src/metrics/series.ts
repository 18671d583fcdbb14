import type { Attributes } from '@opentelemetry/api'

/** A value with its attributes. */
export interface Series<Value> {
  readonly attributes: Attributes
  value: Value
}

/** The limit of OpenTelemetry's own SDK. A label without bounds must not fill the memory. */
const MAX_SERIES = 2_000

const OVERFLOW: Attributes = { 'otel.metric.overflow': true }

/** The series of one instrument. */
export class SeriesByAttributes<Value> {
  readonly #series = new Map<string, Series<Value>>()
  readonly #first: () => Value

  /** @param first the value of a new series */
  constructor(first: () => Value) {
    this.#first = first
  }

  /** The series of these attributes, in any order. */
  of(attributes: Attributes): Series<Value> {
    const key = keyOf(attributes)
    const known = this.#series.get(key)
    if (known !== undefined) return known
    if (this.#series.size >= MAX_SERIES - 1 && attributes !== OVERFLOW) return this.of(OVERFLOW)
    const added = { attributes: { ...attributes }, value: this.#first() }
    this.#series.set(key, added)
    return added
  }

  all(): readonly Series<Value>[] {
    return [...this.#series.values()]
  }

  clear(): void {
    this.#series.clear()
  }
}

function keyOf(attributes: Attributes): string {
  let key = ''
  for (const name of Object.keys(attributes).sort()) key += `${name}\u0000${attributes[name]}\u0000`
  return key
}
