import { type Random, SeededRandom, VirtualClock } from '@isotherm/runtime'
import { accountFor, type RequestAccount } from '../capacity/request-account.js'
import { Engine } from '../engine/engine.js'
import type { GivenSettings } from '../engine/engine-settings.js'
import { ServiceError } from '../errors/service-error.js'
import { MemoryStorage } from '../storage/memory-storage.js'
import type { Awaitable } from '../storage/storage.js'
import type { TraceHeader } from '../trace/trace-format.js'
import { type JsonObject, membersOf, tableName } from './members-of.js'
import { Trace } from './read-trace.js'
import { designedTable, isChanged, wrong } from './replay-design.js'
import type { ReplayedBilling, ReplayOptions, ReplayProgress, ReplayReport } from './replay-report.js'
import { partitionsOfSetup, replaySettings } from './replay-settings.js'
import { billingOf } from './replayed-billing.js'
import { SuffixedTable } from './suffixed-table.js'
import { type AnsweredRequest, Traffic } from './traffic.js'
import { TrafficSeries } from './traffic-series.js'

/**
 * The operations that read or write items, or create their tables. Other operations consume no capacity, or refer to
 * streams of the recorded run.
 */
const REPLAYED = new Set([
  'BatchExecuteStatement',
  'BatchGetItem',
  'BatchWriteItem',
  'CreateTable',
  'DeleteItem',
  'DeleteTable',
  'ExecuteStatement',
  'ExecuteTransaction',
  'GetItem',
  'PutItem',
  'Query',
  'Scan',
  'TransactGetItems',
  'TransactWriteItems',
  'UpdateItem',
  'UpdateTable',
  'UpdateTimeToLive',
])

/**
 * A table change that was rejected in the recording must not succeed in the replay, where table changes take no time
 * and no table is protected.
 */
const CHANGES_TABLES = new Set(['CreateTable', 'DeleteTable', 'UpdateTable', 'UpdateTimeToLive'])

/** Seldom enough to cost nothing, and often enough for a display. */
const REQUESTS_BETWEEN_PROGRESS = 1_000

/**
 * Replays recorded requests at their recorded times, against a new engine on virtual time. Use it to rehearse the same
 * traffic with another table design or at a higher rate.
 *
 * @example
 * const report = await replayTrace({ path: 'today.jsonl', rate: 2 })
 * @throws LocalError `trace.*` for the file, `replay.design` for a design that does not fit its tables.
 */
export async function replayTrace(options: ReplayOptions): Promise<ReplayReport> {
  const trace = new Trace(options.path)
  const replay = new Replay(trace, options)
  await replay.run()
  return replay.report
}

class Replay {
  readonly #trace: Trace
  readonly #options: ReplayOptions
  readonly #rate: number
  readonly #seed: number
  readonly #model: TraceHeader['model']
  readonly #random: Random
  readonly #clock: VirtualClock
  readonly #storage = new MemoryStorage()
  #engine: Engine
  readonly #recorded = new Traffic()
  readonly #replayed = new Traffic()
  readonly #recordedSeries = new TrafficSeries()
  readonly #replayedSeries = new TrafficSeries()
  readonly #tables = new Set<string>()
  readonly #billing = new Map<string, ReplayedBilling>()
  readonly #suffixed = new Map<string, SuffixedTable>()
  readonly #leftOut = new Map<string, number>()
  readonly #pending = new Set<Promise<void>>()
  #requests = 0
  #notAdapted = 0
  #lastAt: number

  constructor(trace: Trace, options: ReplayOptions) {
    const { rate = 1, seed = 1, model = trace.header.model } = options
    this.#trace = trace
    this.#options = options
    this.#rate = rate
    this.#seed = seed
    this.#model = model
    this.#lastAt = trace.header.startedAt
    this.#random = new SeededRandom(seed)
    this.#clock = new VirtualClock(trace.header.startedAt)
    this.#engine = this.#newEngine({ capacity: { ...trace.header.settings?.capacity, model } })
  }

  async run(): Promise<void> {
    await this.#clock.run(async () => {
      await this.#setUp()
      for (const recorded of this.#trace.requests()) {
        await this.#replay(recorded)
        if (this.#requests % REQUESTS_BETWEEN_PROGRESS === 0) this.#options.onProgress?.(this.#progress)
      }
      await Promise.all(this.#pending)
    })
    this.#checkDesign()
    for (const place of this.#replayed.places) await this.#readBilling(place)
  }

  get #progress(): ReplayProgress {
    return { requests: this.#requests, seconds: (this.#lastAt - this.#trace.header.startedAt) / 1_000 }
  }

  get report(): ReplayReport {
    const { throttle, items } = this.#trace.header
    const places = new Set([...this.#recorded.places, ...this.#replayed.places])
    return {
      ...this.#progress,
      rate: this.#rate,
      seed: this.#seed,
      model: this.#model,
      recordedThrottle: throttle,
      missingItems: items,
      leftOut: Object.fromEntries([...this.#leftOut].sort()),
      notAdapted: this.#notAdapted,
      isTorn: this.#trace.isTorn,
      tables: [...places].sort().map((place) => {
        const [region = '', table = ''] = place.split('/')
        return {
          region,
          table,
          recorded: this.#recorded.figures(place),
          replayed: this.#replayed.figures(place),
          ...optional('billing', this.#billing.get(place)),
        }
      }),
      ...(this.#options.series === true
        ? { series: { recorded: this.#recordedSeries.series, replayed: this.#replayedSeries.series } }
        : {}),
    }
  }

  /** A table that is misspelt would be replayed as it was, and look as if the design had no effect. */
  #checkDesign(): void {
    for (const table of Object.keys(this.#options.design?.tables ?? {})) {
      if (this.#tables.has(table)) continue
      const known = [...this.#tables].sort().join(', ')
      throw wrong(
        `The design names the table ${table}, which the trace does not have; it has ${known === '' ? 'none' : known}.`,
      )
    }
  }

  async #readBilling(place: string): Promise<void> {
    const [region = '', TableName = ''] = place.split('/')
    try {
      const billing = billingOf(await this.#engine.execute('DescribeTable', { TableName }, region))
      if (billing !== undefined) this.#billing.set(place, billing)
    } catch (error) {
      // It was deleted meanwhile.
      if (!(error instanceof ServiceError)) throw error
    }
  }

  /**
   * Creates the tables that existed when the recording began. An engine without delays creates them, because they were
   * active. Then an engine with the recorded settings loads them with their recorded partitions, unless the design
   * changes the table.
   */
  async #setUp(): Promise<void> {
    const { setup, partitions = [] } = this.#trace.header
    for (const { region, operation, request } of setup) {
      await this.#prepare(region, operation, request as JsonObject)
    }
    const kept = partitions.filter(({ table }) => !isChanged(this.#options.design ?? {}, table))
    await this.#storage.write([], partitionsOfSetup(kept))
    this.#engine = this.#newEngine(replaySettings(this.#trace.header, this.#model, this.#rate))
  }

  #newEngine(settings: GivenSettings): Engine {
    return new Engine({
      ...settings,
      storage: this.#storage,
      clock: this.#clock,
      random: this.#random,
      throttle: true,
      onPartitionEvent() {},
      stopwatch: this.#clock,
    })
  }

  async #replay(recorded: AnsweredRequest & { readonly at: number }): Promise<void> {
    const { at, region, operation } = recorded
    const request = recorded.request as JsonObject
    this.#requests++
    this.#recorded.add(recorded)
    this.#recordedSeries.add(at / this.#rate / 1_000, recorded)
    const due = this.#trace.header.startedAt + at / this.#rate
    this.#lastAt = Math.max(this.#lastAt, due)
    if (due > this.#clock.now()) await this.#clock.sleep(due - this.#clock.now())
    if (operation === 'CreateTable' && recorded.outcome === 'ok')
      return this.#prepare(region, operation, request)
    if (!REPLAYED.has(operation) || this.#isForeign(operation, request, recorded.outcome)) {
      this.#leftOut.set(operation, (this.#leftOut.get(operation) ?? 0) + 1)
      return
    }
    // After this it cannot be described any more.
    if (operation === 'DeleteTable') await this.#readBilling(`${region}/${tableName(request.TableName)}`)
    const asked = this.#rewritten(region, operation, request)
    const answered = asked.map((each) => this.#ask(region, operation, each))
    const done = (answers: readonly (RequestAccount & { outcome: string })[]) => {
      const answered = {
        ...recorded,
        outcome: answers.find(({ outcome }) => outcome !== 'ok')?.outcome ?? 'ok',
        takes: answers.flatMap(({ takes }) => takes),
        refusals: answers.flatMap(({ refusals }) => refusals),
      }
      this.#replayed.add(answered)
      this.#replayedSeries.add(at / this.#rate / 1_000, answered)
    }
    const inTime = answered.flatMap((each) => (each instanceof Promise ? [] : [each]))
    if (inTime.length === answered.length) return done(inTime)
    const pending = Promise.all(answered).then(done)
    this.#pending.add(pending)
    void pending.finally(() => this.#pending.delete(pending))
    // Lets pending work that needs no time complete before the next request, as it does when requests come over a
    // socket.
    await this.#clock.sleep(0)
  }

  /**
   * Creates a table according to the design. If the engine rejects a table that the design does not change, the replay
   * continues without it. This happens at another rate when the previous table of that name still exists.
   */
  async #prepare(region: string, operation: string, recorded: JsonObject): Promise<void> {
    const { design = {} } = this.#options
    const table = tableName(recorded.TableName)
    if (operation === 'CreateTable') this.#tables.add(table)
    const isDesigned = operation === 'CreateTable' && this.#isDesigned(recorded)
    const request = isDesigned ? designedTable(recorded, design) : recorded
    const suffix = design.tables?.[table]?.suffix
    if (operation === 'CreateTable' && suffix !== undefined) {
      this.#suffixed.set(`${region}/${table}`, new SuffixedTable(request, suffix, this.#seed, this.#random))
    }
    try {
      await this.#engine.execute(operation, request, region)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (isDesigned) throw wrong(`The design of table ${table} is refused: ${error.message}`)
    }
  }

  /** Whether a table change does not belong in the replay, because it was rejected or would undo the design. */
  #isForeign(operation: string, request: JsonObject, outcome: string): boolean {
    if (!CHANGES_TABLES.has(operation)) return false
    return outcome !== 'ok' || (operation === 'UpdateTable' && this.#isDesigned(request))
  }

  #isDesigned(request: JsonObject): boolean {
    return isChanged(this.#options.design ?? {}, tableName(request.TableName))
  }

  #rewritten(region: string, operation: string, request: JsonObject): readonly JsonObject[] {
    if (this.#suffixed.size === 0) return [request]
    let requests: readonly JsonObject[] = [request]
    let isAdapted = true
    for (const table of membersOf(operation, request).keys()) {
      const rule = this.#suffixed.get(`${region}/${table}`)
      if (rule === undefined) continue
      const changed = requests.map((each) => rule.rewrite(operation, each, table))
      requests = changed.flatMap((each) => each.requests)
      isAdapted &&= changed.every((each) => each.isAdapted)
    }
    if (!isAdapted) this.#notAdapted++
    return requests
  }

  #ask(
    region: string,
    operation: string,
    request: JsonObject,
  ): Awaitable<RequestAccount & { outcome: string }> {
    const account: RequestAccount = { takes: [], refusals: [] }
    const ended = (outcome: string) => ({ ...account, outcome })
    const failed = (error: unknown) => ended(error instanceof Error ? error.name : 'Error')
    try {
      const result = accountFor(account, () => this.#engine.execute(operation, request, region))
      return result instanceof Promise ? result.then(() => ended('ok'), failed) : ended('ok')
    } catch (error) {
      return failed(error)
    }
  }
}

function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [name in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [name in Name]?: Value })
}
