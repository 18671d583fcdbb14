import type { Meter } from '@opentelemetry/api'

/** A request that was answered. */
export interface AnsweredRequest {
  /** The API's name; `undefined` for a request without a valid one, or one that was refused before it was looked at. */
  readonly operation: string | undefined
  readonly route: 'sharded' | 'passed' | 'refused'
  readonly status: number
  /** Missing if the request was refused before it was received. */
  readonly milliseconds?: number
}

/** Numbers of this moment. */
export interface Occupancy {
  readonly requests: number
  readonly bodyBytes: number
  readonly connections: number
}

/** Most requests take one to ten milliseconds. Requests in seconds wait for a hot partition. */
const SECONDS = [0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** More than the API has. A caller that invents names must not create series without end. */
const MAX_OPERATIONS = 100

interface Instruments {
  readonly requests: ReturnType<Meter['createCounter']>
  readonly duration: ReturnType<Meter['createHistogram']>
}

/** Records the requests of a proxy. */
export class RequestMetrics {
  readonly #instruments: readonly Instruments[]
  readonly #operations = new Set<string>()

  constructor(meters: readonly Meter[], occupancy: () => Occupancy) {
    this.#instruments = meters.map((meter) => instrumentsOf(meter, occupancy))
  }

  record({ operation, route, status, milliseconds }: AnsweredRequest): void {
    const attributes = {
      'db.operation.name': this.#known(operation),
      'isotherm.route': route,
    }
    const withStatus = { ...attributes, 'http.response.status_code': status }
    for (const { requests, duration } of this.#instruments) {
      requests.add(1, withStatus)
      if (milliseconds !== undefined) duration.record(milliseconds / 1_000, attributes)
    }
  }

  #known(operation = 'none'): string {
    if (this.#operations.has(operation)) return operation
    if (this.#operations.size >= MAX_OPERATIONS) return 'other'
    this.#operations.add(operation)
    return operation
  }
}

function instrumentsOf(meter: Meter, occupancy: () => Occupancy): Instruments {
  const counter = meter.createCounter('isotherm.proxy.requests', {
    unit: '{request}',
    description:
      'Requests by their operation, their route and their status; 499 if the caller has disconnected',
  })
  const duration = meter.createHistogram('isotherm.proxy.request.duration', {
    unit: 's',
    description: 'Time from the end of a request to its answer',
    advice: { explicitBucketBoundaries: SECONDS },
  })
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(`isotherm.proxy.${name}`, { unit, description })
  const requests = gauge('active_requests', '{request}', 'Requests that are not answered yet')
  const bytes = gauge('active_bodies', 'By', 'Size of the bodies of these requests')
  const connections = gauge('connections', '{connection}', 'Open connections of callers')
  meter.addBatchObservableCallback(
    (result) => {
      const now = occupancy()
      result.observe(requests, now.requests)
      result.observe(bytes, now.bodyBytes)
      result.observe(connections, now.connections)
    },
    [requests, bytes, connections],
  )
  return { requests: counter, duration }
}
