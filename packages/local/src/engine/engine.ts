import type { Clock, Random } from '@isotherm/runtime'
import type { Buckets } from '../buckets/buckets.js'
import { ControlPlaneAdmission } from '../capacity/control-plane-limits.js'
import { type PartitionReport, reportPartitions } from '../capacity/partition-report.js'
import { Throttled } from '../capacity/throttled.js'
import { type OpenCatalog, openCatalog } from '../catalog/open-catalog.js'
import type { CapacityEvent, PartitionEvent } from '../catalog/table-assembly.js'
import { CloudwatchError } from '../cloudwatch/cloudwatch-error.js'
import { CLOUDWATCH_OPERATIONS } from '../cloudwatch/operations.js'
import { LocalError } from '../errors/local-error.js'
import { internalServerError, ServiceError } from '../errors/service-error.js'
import type { HeatHistory } from '../heat-history/heat-history.js'
import { Metrics } from '../metrics/metrics.js'
import { DEFAULT_METRICS, type MetricsParameters } from '../metrics/metrics-parameters.js'
import { recordFailure, recordSuccess } from '../metrics/request-figures.js'
import type { MeteredRequest } from '../metrics/touched.js'
import { withValues } from '../operations/answered-items.js'
import type { OperationContext } from '../operations/operation.js'
import { OPERATIONS } from '../operations/operations.js'
import { serviceErrorOf } from '../operations/service-error-of.js'
import { MeasuredStorage } from '../partition/measured-storage.js'
import { afterwards } from '../storage/afterwards.js'
import type { Snapshot } from '../storage/snapshot.js'
import type { Awaitable, Storage } from '../storage/storage.js'
import { DEFAULT_STREAMS, type StreamParameters } from '../stream/stream-parameters.js'
import type { Table } from '../table/table.js'
import { Transactions } from '../transaction/transactions.js'
import { completedExport } from '../transfers/completed-export.js'
import { openTransfers, type Transfers } from '../transfers/open-transfers.js'
import { TransferJobs } from '../transfers/transfer-jobs.js'
import { type EngineSettings, engineSettings, type GivenSettings } from './engine-settings.js'
import { observeRequest, type RequestObserver } from './observe-request.js'

/** The dependencies of an engine. */
export interface EngineParts extends GivenSettings {
  readonly storage: Storage
  readonly clock: Clock
  readonly random: Random
  /** Whether limits are enforced. Metrics are recorded in either case. */
  readonly throttle: boolean
  /** The source of imports and the target of exports. `undefined` when there are none. */
  readonly buckets?: Buckets | undefined
  readonly onPartitionEvent: (event: PartitionEvent) => void
  readonly onCapacityEvent?: ((event: CapacityEvent) => void) | undefined
  readonly streams?: Partial<StreamParameters>
  /** Limits of recorded metrics, or false to record none. */
  readonly metrics?: Partial<MetricsParameters> | false
  /** Records the heat of partitions and keys. `undefined` when none is recorded. */
  readonly heat?: HeatHistory | undefined
  /** Called for every request when it has been answered, in the order of responses. */
  readonly onRequest?: RequestObserver
  /** Measures the time the engine itself takes. It runs in real time even when `clock` is virtual. */
  readonly stopwatch: Clock
}

/** The state that is replaced as a whole when a snapshot is restored. */
interface EngineState extends OpenCatalog, Transfers {
  readonly storage: Storage
  readonly transactions: Transactions
}

/** Counts since the engine was created. */
export interface EngineStatistics {
  readonly requests: number
  /** Requests that were throttled. */
  readonly throttledRequests: number
  /** Real time spent inside the engine, in milliseconds: decoding, admission, storage, responses. */
  readonly busyMilliseconds: number
}

/**
 * DynamoDB without a network interface: it takes a request of the API by name, and returns the service's response.
 *
 * Each request is checked against its shape, decoded, admitted by the capacity of its table and partition, applied, and
 * answered.
 */
export class Engine {
  readonly clock: Clock
  readonly settings: EngineSettings
  readonly #stateOn: (storage: Storage, isEmpty?: boolean) => EngineState
  readonly #stopwatch: Clock
  readonly #metrics: Metrics | undefined
  readonly #heat: HeatHistory | undefined
  readonly #onRequest: RequestObserver | undefined
  readonly #controlPlane: ControlPlaneAdmission
  readonly #jobs = new TransferJobs()
  #state: EngineState
  #failuresSeen: number
  #isClosed = false
  #busyMilliseconds = 0
  #requests = 0
  #throttledRequests = 0

  constructor(parts: EngineParts) {
    this.clock = parts.clock
    this.#stopwatch = parts.stopwatch
    this.#onRequest = parts.onRequest
    this.#heat = parts.heat
    this.settings = engineSettings(parts)
    const { capacity, propagation, delays, controlPlaneLimits, transactionMilliseconds } = this.settings
    this.#controlPlane = new ControlPlaneAdmission(controlPlaneLimits, parts.clock.now())
    this.#metrics =
      parts.metrics === false ? undefined : new Metrics({ ...DEFAULT_METRICS, ...parts.metrics }, capacity)
    const enforcement = { throttle: parts.throttle }
    const { buckets } = parts
    this.#stateOn = (store, isEmpty = false) => {
      const storage = new MeasuredStorage(store, parts.clock)
      const open = openCatalog({
        storage,
        records: isEmpty ? [] : storage.records(),
        clock: parts.clock,
        random: parts.random,
        capacity,
        streams: { ...DEFAULT_STREAMS, ...parts.streams },
        propagation,
        delays,
        enforcement,
        onPartitionEvent: parts.onPartitionEvent,
        onCapacityEvent: parts.onCapacityEvent,
        meters: this.#metrics,
        heat: parts.heat,
        transferFailures: this.#jobs.failures,
        completedExport: buckets && ((state) => completedExport(buckets, state)),
      })
      const transactions = new Transactions({
        storage,
        clock: parts.clock,
        catalog: open.catalog,
        enforcement,
        milliseconds: transactionMilliseconds,
      })
      const { clock, random } = parts
      const transfers = openTransfers(open, { storage, clock, random, buckets, jobs: this.#jobs })
      const close = () => {
        open.close()
        transfers.closeTransfers()
      }
      const clear = () => {
        open.clear()
        transfers.closeTransfers()
      }
      return { ...open, ...transfers, storage: store, transactions, close, clear }
    }
    this.#state = this.#stateOn(parts.storage)
    this.#failuresSeen = parts.storage.failures
  }

  get statistics(): EngineStatistics {
    return {
      requests: this.#requests,
      throttledRequests: this.#throttledRequests,
      busyMilliseconds: this.#busyMilliseconds,
    }
  }

  /** All tables of all regions. */
  get tables(): readonly Table[] {
    return this.#state.catalog.tables
  }

  /**
   * Executes one operation. In memory, the response is returned at once. A store on disk returns a promise.
   *
   * @param operation the API's name, such as `PutItem`.
   * @param input the request as parsed JSON. Binary values may be base64 or bytes.
   * @param address the host and port by which the client reached the engine.
   * @returns the response. Its items are the engine's own objects, so do not modify them.
   * @throws ServiceError
   */
  execute(operation: string, input: unknown, region: string, address?: string): Awaitable<object> {
    const outcome = this.outcome(operation, input, region, address)
    return outcome instanceof Promise ? outcome.then(answerOrThrow) : answerOrThrow(outcome)
  }

  /**
   * Like `execute`, but returns the service's errors instead of throwing them. Under load most requests may be
   * rejected, and throwing an error through all layers costs more than many requests.
   *
   * @throws bugs, and errors of operations that do not belong to DynamoDB
   */
  outcome(
    operation: string,
    input: unknown,
    region: string,
    address?: string,
  ): Awaitable<object | ServiceError> {
    return afterwards(this.answer(operation, input, region, address), withValues)
  }

  /**
   * Like `outcome`, for callers who print the response. Stored items in it are not values, but print themselves.
   * `printAnswer` prints it.
   */
  answer(
    operation: string,
    input: unknown,
    region: string,
    address = 'localhost',
  ): Awaitable<object | ServiceError> {
    const observer = this.#onRequest
    if (observer === undefined) return this.#answer(operation, input, region, address)
    const begun = { at: this.clock.now(), region, operation, input }
    return observeRequest(begun, observer, () => this.#answer(operation, input, region, address))
  }

  #answer(
    operation: string,
    input: unknown,
    region: string,
    address: string,
  ): Awaitable<object | ServiceError> {
    this.#requests++
    const from = this.#stopwatch.now()
    const state = this.#current()
    const { storage, catalog, lifeCycle, expiry, backups, transactions } = state
    const request: MeteredRequest = {
      operation,
      region,
      from: this.clock.now(),
      tables: [],
      stream: undefined,
      conflicts: undefined,
    }
    try {
      const definition = OPERATIONS.get(operation)
      if (definition === undefined) return this.#tellMetrics(operation, input, region)
      const shaped = definition.read(input)
      this.#controlPlane.admit(operation, this.clock.now())
      expiry.removeExpired()
      const context: OperationContext = {
        catalog,
        lifeCycle,
        backups,
        exports: state.exports,
        exportRecords: state.exportRecords,
        imports: state.imports,
        importRecords: state.importRecords,
        transactions,
        clock: this.clock,
        settled: () => storage.settled(),
        checkCurrent: () => this.#checkCurrent(state),
        capacity: this.settings.capacity,
        controlPlaneLimits: this.settings.controlPlaneLimits,
        region,
        address,
        touched: request,
      }
      const result = definition.run(shaped as never, context)
      if (!(result instanceof Promise)) return this.#succeed(request, result)
      return result.then(
        (output) => this.#succeed(request, output),
        (error: unknown) => this.#fail(request, error),
      )
    } catch (error) {
      const settled = storage.settled()
      if (settled === undefined) return this.#fail(request, error)
      // A condition may have failed because of an item that is not durable yet. The response must wait until the item
      // is.
      return settled.then(
        () => this.#fail(request, error),
        (failure: unknown) => this.#fail(request, failure),
      )
    } finally {
      this.#busyMilliseconds += this.#stopwatch.now() - from
    }
  }

  /** The partitions of a table, or of one of its indexes. `undefined` when no such table or index exists. */
  partitions(region: string, table: string, index?: string): readonly PartitionReport[] | undefined {
    const now = this.clock.now()
    const found = this.#current().catalog.get(region, table)
    const of = index === undefined ? found : found?.indexes.get(index)
    // Pending changes of an index are applied on access, and must be before its remaining capacity is reported.
    if (index !== undefined) found?.indexes.get(index)?.catchUp(now)
    return of === undefined ? undefined : reportPartitions(of.capacity, now)
  }

  /**
   * Takes a snapshot of all tables, streams and tokens. Requests in progress are not included.
   * @throws LocalError `snapshot.durable`
   */
  snapshot(): Snapshot {
    const { storage, catalog } = this.#current()
    return storage.snapshot(catalog.records)
  }

  /**
   * Restores a snapshot. Partitions have the borders of that time, and are cold.
   * @throws LocalError `snapshot.durable`, `snapshot.foreign`
   */
  restore(snapshot: Snapshot): void {
    const storage = this.#state.storage.restored(snapshot)
    this.#state.clear()
    this.#metrics?.endAll(this.clock.now())
    this.#state = this.#stateOn(storage)
    this.#failuresSeen = storage.failures
  }

  /** Removes everything from all regions. The clock continues. */
  reset(): Awaitable<void> {
    const { storage } = this.#state
    this.#state.clear()
    this.#metrics?.clear()
    this.#heat?.clear()
    const emptied = storage.emptied()
    if (!(emptied instanceof Promise)) {
      this.#state = this.#stateOn(emptied)
      this.#failuresSeen = emptied.failures
      return
    }
    // Requests continue meanwhile, and all that they write comes after the removal.
    this.#state = this.#stateOn(storage, true)
    return emptied.catch((error: unknown) => {
      // Data that the store could not remove still exists, so it is loaded again.
      if (!this.#isClosed) this.#current()
      throw error
    })
  }

  close(): Awaitable<void> {
    const { storage, transactions } = this.#state
    this.#isClosed = true
    transactions.close()
    this.#state.close()
    // Exports remove what they have not completed, and imports stop.
    return afterwards(this.#jobs.ended(), () => storage.close()) as Awaitable<void>
  }

  /**
   * The state that requests use. A failed commit discards all later writes, and with them the state that catalog and
   * transactions derived from them, such as queues, streams and index backfills. Then all of it is rebuilt from the
   * store, as after a restart.
   */
  #current(): EngineState {
    if (this.#isClosed) throw closedEngine()
    const { storage, transactions } = this.#state
    if (storage.failures !== this.#failuresSeen) {
      this.#failuresSeen = storage.failures
      transactions.close()
      this.#state.clear()
      this.#state = this.#stateOn(storage)
      this.#metrics?.endOthers(this.#state.catalog.tables, this.clock.now())
    }
    this.#state.lifeCycle.settle()
    return this.#state
  }

  /** @throws LocalError `local.closed`, ServiceError */
  #checkCurrent(state: EngineState): void {
    if (this.#isClosed) throw closedEngine()
    if (state === this.#state && state.storage.failures === this.#failuresSeen) return
    throw internalServerError('The data was loaded again or replaced while the request was served.')
  }

  #succeed(request: MeteredRequest, output: object): object {
    if (this.#metrics !== undefined) recordSuccess(this.#metrics, request, output, this.clock.now())
    return output
  }

  /** Converts errors of the layers below to the service's errors. Other errors are bugs and are rethrown. */
  #fail(request: MeteredRequest, error: unknown): ServiceError {
    if (error instanceof Throttled) this.#throttledRequests++
    const answered = serviceErrorOf(error) ?? error
    if (this.#metrics !== undefined && !(answered instanceof CloudwatchError)) {
      recordFailure(this.#metrics, request, answered, this.clock.now())
    }
    if (answered instanceof ServiceError) return answered
    throw answered
  }

  /** Executes an operation of CloudWatch, which requires metrics. */
  #tellMetrics(operation: string, input: unknown, region: string): Awaitable<object> {
    const run = CLOUDWATCH_OPERATIONS.get(operation)
    if (run === undefined || this.#metrics === undefined) throw unknownOperation()
    const now = this.clock.now()
    const { catalog } = this.#state
    // Consumption of indexes becomes known only when their pending changes are applied.
    for (const name of catalog.names(region)) {
      for (const index of catalog.get(region, name)?.indexes.values() ?? []) index.catchUp(now)
    }
    return run(input, { metrics: this.#metrics, region, now })
  }
}

/** The error of everything that an engine is asked for after it was closed. */
export function closedEngine(): LocalError {
  return new LocalError('local.closed', 'The engine is closed; make a new one.')
}

function answerOrThrow(outcome: object): object {
  if (outcome instanceof ServiceError) throw outcome
  return outcome
}

function unknownOperation(): ServiceError {
  return new ServiceError('UnknownOperationException', '')
}
