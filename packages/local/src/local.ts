import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { type Clock, millisecondsOf, type Random, SystemClock, SystemRandom } from '@isotherm/runtime'
import { openBuckets } from './buckets/open-buckets.js'
import { type ControlPlaneLimits, REAL_CONTROL_PLANE_LIMITS } from './capacity/control-plane-limits.js'
import type { PartitionReport } from './capacity/partition-report.js'
import {
  type ControlPlaneDelayOptions,
  type ControlPlaneDelays,
  NO_DELAYS,
  REAL_DELAYS,
} from './catalog/control-plane-delays.js'
import type { CapacityEvent, PartitionEvent } from './catalog/table-assembly.js'
import { closedEngine, Engine, type EngineParts, type EngineStatistics } from './engine/engine.js'
import { HeatHistory, type HeatRequest, type HeatSpan } from './heat-history/heat-history.js'
import { DEFAULT_HEAT, type HeatParameters } from './heat-history/heat-parameters.js'
import type { HeatKeyspace } from './heat-history/keyspace-heat.js'
import { LOCAL } from './local-rules.js'
import type { MetricsParameters } from './metrics/metrics-parameters.js'
import { checked } from './options/rules.js'
import { type CapacityParameters, DEFAULT_CAPACITY } from './partition/capacity-parameters.js'
import { HeapWatch } from './storage/heap-watch.js'
import { inBackground } from './storage/in-background.js'
import { LmdbStorage } from './storage/lmdb/lmdb-storage.js'
import { MemoryStorage } from './storage/memory-storage.js'
import type { Snapshot } from './storage/snapshot.js'
import type { StreamParameters } from './stream/stream-parameters.js'
import type { PropagationParameters } from './table/index-queue.js'
import { MachineClock } from './timers/machine-clock.js'
import { TraceFile } from './trace/trace-file.js'
import { traceHeader } from './trace/trace-header.js'
import { TraceRecorder } from './trace/trace-recorder.js'
import { type Connection, connectionTo } from './transport/connection.js'
import { ENDPOINT } from './transport/endpoint-rules.js'
import type { Endpoint, EndpointOptions } from './transport/http-endpoint.js'
import { inProcessClient } from './transport/in-process-client.js'

/** Options of `createLocal`. Every option has a default. */
export interface LocalOptions {
  /**
   * The clock. The default is the system clock, which stops while the machine sleeps. `new SystemClock({ noticesSuspension:
   * true })` follows the calendar then, as `isotherm local` does. Use a `VirtualClock` in tests and simulations.
   */
  readonly clock?: Clock | undefined
  /** The random source. The default is the system's. Use a `SeededRandom` for repeatable runs. */
  readonly random?: Random | undefined
  /** Whether capacity limits are enforced. The default is true. Metrics are recorded in either case. */
  readonly throttle?: boolean | undefined
  /**
   * The directory for durable data, which is created when it is missing. A write is acknowledged once it would survive
   * a power cut. Only one engine at a time can use a directory. By default, data is in memory and ends with the engine.
   */
  readonly data?: string | undefined
  /**
   * The directory whose folders stand for S3 buckets. `ExportTableToPointInTime` writes to them, and `ImportTable` reads from
   * them. By default the engine has no buckets, and refuses both.
   */
  readonly buckets?: string | undefined
  /**
   * The region of in-process clients, and of HTTP requests without a region in their signature. The default is
   * `us-east-1`.
   */
  readonly region?: string | undefined
  /** Capacity rules that differ from the defaults, such as a shorter time of heat before a split. */
  readonly capacity?: Partial<CapacityParameters> | undefined
  /** Stream rules that differ from the defaults, such as shards of minutes instead of hours. */
  readonly streams?: Partial<StreamParameters> | undefined
  /** How far global indexes may lag behind their tables, and how much may be queued for them. */
  readonly propagation?: Partial<PropagationParameters> | undefined
  /**
   * How long it takes to create, change and delete tables and indexes. `none` (the default) completes them at once, and
   * `real` takes about as long as the service. An object has single delays, such as `{ createTable: '6s' }`.
   */
  readonly controlPlaneDelays?: 'none' | 'real' | ControlPlaneDelayOptions | undefined
  /**
   * Limits on the rate and number of table changes. `real` applies the documented limits, and `none` applies no limits.
   * The default is `real` if `controlPlaneDelays` is `real`, and otherwise `none`.
   */
  readonly controlPlaneLimits?: 'none' | 'real' | Partial<ControlPlaneLimits> | undefined
  /**
   * The minimum time for which a transaction holds its items, in milliseconds of the clock. The default is 1. Other
   * writes to these items fail meanwhile. At 0, transactions never overlap with other requests.
   */
  readonly transactionMilliseconds?: number | undefined
  /**
   * Limits of the stored CloudWatch and Contributor Insights metrics, if different from the defaults. `false` records
   * no metrics.
   */
  readonly metrics?: Partial<MetricsParameters> | false | undefined
  /**
   * Whether the history of heat is recorded: which partitions and keys had how much traffic, by the second and for
   * weeks, in bounded memory. An object changes its limits. The default is false.
   */
  readonly heat?: boolean | Partial<HeatParameters> | undefined
  /**
   * The path of a new file that records all requests, with the units they consumed and where they were throttled.
   * `replayTrace` replays it. The file contains the data of users, and only its owner can read it. Recording ends with
   * `close`.
   */
  readonly trace?: string | undefined
  /** Called for every partition that is split, or that stayed hot and could not be split. */
  readonly onPartitionEvent?: ((event: PartitionEvent) => void) | undefined
  /** Called when the capacity of a table or an index has changed: its mode, its provisioned throughput, or its maximum. */
  readonly onCapacityEvent?: ((event: CapacityEvent) => void) | undefined
  /**
   * Called with errors that no request should cause. Also called once when the data directory begins to reject writes,
   * and once when a trace ends early. By default these errors become process warnings.
   */
  readonly onBug?: ((error: unknown) => void) | undefined
}

/** A local DynamoDB: an engine, in-process clients and HTTP endpoints. */
export interface Local {
  /**
   * Creates an AWS SDK client whose requests are answered in this process, without a socket. Its retries wait on the
   * engine's clock. It accepts the SDK's own options, and works with `DynamoDBDocumentClient.from`.
   */
  client(config?: DynamoDBClientConfig): DynamoDBClient
  /**
   * Settings that connect any AWS SDK v3 client to this engine in process. Use them for a `DynamoDBStreamsClient`, or
   * for a client that the code under test creates.
   *
   * @example new DynamoDBStreamsClient({ ...local.connection() })
   */
  connection(): Connection
  /**
   * Removes the tables, streams and tokens of all regions. The clock continues, and endpoints and clients stay usable.
   * Transactions and batches in progress fail, because their tables no longer exist.
   * @throws LocalError `storage.full`, `storage.write` when the data directory could not be emptied, `local.closed`
   */
  reset(): Promise<void>
  /**
   * Takes a snapshot of all tables, streams and tokens, in a time that does not depend on the number of items. Requires
   * data in memory.
   * @throws LocalError `snapshot.durable` when there is a data directory.
   */
  snapshot(): Snapshot
  /**
   * Restores a snapshot of this engine, or of another engine of this process, any number of times. This is as fast as
   * taking one. The clock continues. Partitions have the borders of that time, without load or throttles, and indexes
   * have caught up with their tables. Requests in progress do not change the restored data.
   * @throws LocalError `snapshot.durable`, `snapshot.foreign`
   */
  restore(snapshot: Snapshot): void
  /**
   * Opens an HTTP endpoint.
   * @throws LocalError `endpoint.port-taken`, `endpoint.listen`, `options.invalid`, `options.unknown`, `local.closed`
   */
  listen(options: EndpointOptions): Promise<Endpoint>
  /** The partitions of a table, or of one of its indexes. Empty when no such table or index exists. */
  partitions(table: string, index?: string, region?: string): readonly PartitionReport[]
  /** The tables of all regions, with their global indexes. */
  tables(): readonly LocalTable[]
  /**
   * The history of heat of a table or a global index. `undefined` unless the option `heat` is set.
   *
   * @example local.heat({ region: 'us-east-1', table: 'orders', index: undefined }, { from, to, columns: 600 })
   */
  heat(keyspace: HeatKeyspace, request: HeatRequest): HeatSpan | undefined
  /** The engine's clock, in milliseconds since the epoch. */
  now(): number
  /** Counts of requests since the engine was created, and the time spent inside it. */
  statistics(): EngineStatistics
  /**
   * Closes all endpoints and releases the data. Pending writes complete first. Afterwards only `now` and `statistics` can be
   * called. If `listen` failed and no request was made, the new data directory and the trace are removed.
   */
  close(): Promise<void>
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** A table of a region. */
export interface LocalTable {
  readonly region: string
  readonly name: string
  /** The names of its global indexes. */
  readonly globalIndexes: readonly string[]
}

const DEFAULT_REGION = 'us-east-1'

/**
 * Creates a DynamoDB in this process, with tables made of partitions that throttle, burst and split.
 *
 * @example
 * const local = createLocal()
 * const client = local.client()
 * await client.send(new ListTablesCommand({}))
 * await local.close()
 * @throws LocalError `options.invalid` or `options.unknown`; others when the data directory, or the directory of buckets, cannot be used.
 */
export function createLocal(options: LocalOptions = {}): Local {
  const {
    clock = new MachineClock(),
    random = new SystemRandom(),
    throttle = true,
    data,
    buckets,
    region = DEFAULT_REGION,
    capacity = {},
    streams = {},
    propagation = {},
    controlPlaneDelays = 'none',
    controlPlaneLimits = controlPlaneDelays === 'real' ? 'real' : 'none',
    transactionMilliseconds,
    metrics = {},
    heat = false,
    trace,
    onPartitionEvent = () => {},
    onCapacityEvent,
    onBug = warn,
  } = checkedOptions(options)
  const opened = buckets === undefined ? undefined : openBuckets(buckets)
  const onDisk = data === undefined ? undefined : new LmdbStorage(data, { onFailure: onBug })
  const storage = onDisk ?? new MemoryStorage(undefined, new HeapWatch(onBug))
  const stopwatch = new SystemClock()
  const traceFile = trace === undefined ? undefined : openTrace(trace, onDisk, onBug)
  const recorder = traceFile === undefined ? undefined : new TraceRecorder(traceFile)
  const history = heat === false ? undefined : heatHistory(heat === true ? {} : heat, capacity)
  const parts: EngineParts = {
    storage,
    clock,
    random,
    capacity,
    streams,
    propagation,
    delays: delaysOf(controlPlaneDelays),
    controlPlaneLimits: limitsOf(controlPlaneLimits),
    throttle,
    buckets: opened,
    onPartitionEvent,
    onCapacityEvent,
    ...(transactionMilliseconds === undefined ? {} : { transactionMilliseconds }),
    metrics,
    heat: history,
    ...(recorder === undefined ? {} : { onRequest: recorder }),
    stopwatch,
  }
  const engine = openEngine(parts, onDisk, traceFile)
  recorder?.start(traceHeader(engine, { throttle }))
  const endpoints: Endpoint[] = []
  let hasFailedToListen = false
  let closing: Promise<void> | undefined
  const requireOpen = () => {
    if (closing !== undefined) throw closedEngine()
  }
  const shut = async () => {
    await Promise.all(endpoints.map((endpoint) => endpoint.close()))
    // The start failed, and nothing has used the engine. The next attempt may name the same files.
    const isUnused = hasFailedToListen && endpoints.length === 0 && engine.statistics.requests === 0
    if (isUnused) onDisk?.discardOnClose()
    await engine.close()
    await (isUnused ? traceFile?.discard() : traceFile?.close())
  }
  const close = () => {
    closing ??= shut()
    return closing
  }
  return {
    client: (config = {}) => {
      requireOpen()
      return inProcessClient(engine, region, random, config, onBug)
    },
    connection: () => {
      requireOpen()
      return connectionTo(engine, region, random, onBug)
    },
    reset: async () => {
      requireOpen()
      traceFile?.end('everything was removed at once')
      await engine.reset()
    },
    snapshot: () => engine.snapshot(),
    restore: (snapshot) => {
      requireOpen()
      traceFile?.end('a snapshot was gone back to')
      engine.restore(snapshot)
    },
    listen: async (where) => {
      requireOpen()
      try {
        const options = checked('listen', where, ENDPOINT, {
          names: Object.keys(LOCAL),
          text: 'is an option of `createLocal` and of `startLocal`',
        })
        // Loaded on demand, because most tests need no socket and should not wait for its modules.
        const { listen } = await import('./transport/http-endpoint.js')
        const endpoint = await listen(engine, region, options, onBug)
        if (closing !== undefined) {
          await endpoint.close()
          throw closedEngine()
        }
        endpoints.push(endpoint)
        return endpoint
      } catch (error) {
        hasFailedToListen = true
        throw error
      }
    },
    partitions: (table, index, of = region) => engine.partitions(of, table, index) ?? [],
    tables: () => {
      requireOpen()
      return engine.tables.map(localTable)
    },
    heat: (keyspace, request) => {
      requireOpen()
      return history?.read(keyspace, request, clock.now())
    },
    now: () => clock.now(),
    statistics: () => engine.statistics,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function heatHistory(given: Partial<HeatParameters>, capacity: Partial<CapacityParameters>): HeatHistory {
  const { partitionWriteUnitsPerSecond: write, partitionReadUnitsPerSecond: read } = {
    ...DEFAULT_CAPACITY,
    ...capacity,
  }
  return new HeatHistory({ ...DEFAULT_HEAT, ...given }, { write, read })
}

function localTable({ region, name, indexes }: Engine['tables'][number]): LocalTable {
  const globalIndexes = [...indexes].flatMap(([index, { isLocal }]) => (isLocal ? [] : [index]))
  return { region, name, globalIndexes }
}

/**
 * Opens the trace file. If that fails, closes the store, and removes its directory if it is new.
 * @throws LocalError `trace.exists`, `trace.write`
 */
function openTrace(
  path: string,
  onDisk: LmdbStorage | undefined,
  onEnd: (error: unknown) => void,
): TraceFile {
  try {
    return new TraceFile(path, onEnd)
  } catch (error) {
    onDisk?.discardOnClose()
    inBackground(onDisk?.close())
    throw error
  }
}

/**
 * Opens the engine. If that fails, because a record of a table is damaged for example, closes the store, and removes what this
 * start has created.
 * @throws LocalError `storage.damaged`
 */
function openEngine(
  parts: EngineParts,
  onDisk: LmdbStorage | undefined,
  traceFile: TraceFile | undefined,
): Engine {
  try {
    return new Engine(parts)
  } catch (error) {
    onDisk?.discardOnClose()
    inBackground(onDisk?.close())
    inBackground(traceFile?.discard())
    throw error
  }
}

function checkedOptions(options: LocalOptions): LocalOptions {
  return checked('createLocal', options, LOCAL, {
    names: Object.keys(ENDPOINT),
    text: 'is an option of `listen` and of `startLocal`',
  })
}

function delaysOf(wanted: NonNullable<LocalOptions['controlPlaneDelays']>): ControlPlaneDelays {
  if (wanted === 'real') return REAL_DELAYS
  if (wanted === 'none') return NO_DELAYS
  const given = Object.entries(wanted).map(([change, delay]) => [change, millisecondsOf(delay)])
  return { ...NO_DELAYS, ...Object.fromEntries(given) }
}

function limitsOf(wanted: NonNullable<LocalOptions['controlPlaneLimits']>): Partial<ControlPlaneLimits> {
  if (wanted === 'real') return REAL_CONTROL_PLANE_LIMITS
  return wanted === 'none' ? {} : wanted
}

/** The warning does not contain the request, because that holds the data of users. */
function warn(error: unknown): void {
  process.emitWarning(
    error instanceof Error ? (error.stack ?? error.message) : String(error),
    'IsothermLocalBug',
  )
}
