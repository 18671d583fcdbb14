import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Local } from '@isotherm/local'
import type { ScenarioSeries } from '../catalog/scenario.js'

/** The traffic of one engine, from the first request to the last. */
export interface WorldTraffic {
  /** The width of a step in seconds. */
  readonly seconds: number
  readonly series: readonly ScenarioSeries[]
}

/** Reported this often. A progress for each request would cost more than the request. */
const REQUESTS_PER_REPORT = 1_000

/** More steps than a chart has pixels show nothing more. */
const MAX_STEPS = 600

/** Follows the engines that a scenario runs one after the other: by hand, then with the pattern. */
export class WorldWatch {
  readonly traffic: WorldTraffic[] = []
  readonly #onRequests: (world: number, requests: number) => void
  #requests = 0

  constructor(onRequests: (world: number, requests: number) => void) {
    this.#onRequests = onRequests
  }

  /** Counts the requests of a client. */
  follow(client: DynamoDBClient): void {
    this.#requests = 0
    client.middlewareStack.add(
      (next) => (args) => {
        this.#requests += 1
        if (this.#requests % REQUESTS_PER_REPORT === 0) this.#onRequests(this.traffic.length, this.#requests)
        return next(args)
      },
      { step: 'initialize', name: 'followRequests' },
    )
  }

  /** Reads the traffic of an engine at its end. It must have been created with `heat`. */
  end(local: Local, from: number): void {
    this.traffic.push(trafficOf(local, from))
  }
}

function trafficOf(local: Local, from: number): WorldTraffic {
  const request = { from, to: local.now(), columns: MAX_STEPS }
  const sums = { writes: new Map<number, number>(), reads: new Map<number, number>() }
  const throttled = new Map<number, number>()
  let [seconds, first] = [1, from]
  for (const { region, name, globalIndexes } of local.tables()) {
    for (const index of [undefined, ...globalIndexes]) {
      const span = local.heat({ region, table: name, index }, request)
      if (span === undefined) continue
      seconds = span.seconds
      first = span.from
      for (const { at, frame } of span.columns) {
        const step = Math.round((at - span.from) / (1_000 * span.seconds))
        for (const [, cell] of frame.partitions) {
          add(sums.writes, step, cell.writeUnits)
          add(sums.reads, step, cell.readUnits)
        }
        for (const [, count] of frame.reasons) add(throttled, step, count)
      }
    }
  }
  const last = Math.max(0, ...[sums.writes, sums.reads, throttled].flatMap((each) => [...each.keys()]))
  const steps = Math.min(last + 1, Math.ceil((local.now() - first) / (1_000 * seconds)) + 1)
  const line = (name: string, kind: ScenarioSeries['kind'], of: ReadonlyMap<number, number>) => {
    const values = Array.from({ length: steps }, (_, step) => (of.get(step) ?? 0) / seconds)
    return values.some((value) => value > 0) ? [{ name, kind, values: values.map(tenths) }] : []
  }
  return {
    seconds,
    series: [
      ...line('write units accepted', 'accepted', sums.writes),
      ...line('read units accepted', 'accepted', sums.reads),
      ...line('requests throttled', 'throttled', throttled),
    ],
  }
}

function add(sums: Map<number, number>, step: number, value: number): void {
  if (value > 0) sums.set(step, (sums.get(step) ?? 0) + value)
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10
}
