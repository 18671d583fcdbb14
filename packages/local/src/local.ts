import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { type Clock, type Random, SystemClock, SystemRandom } from '@isotherm/runtime'
import { type ControlPlaneLimits, REAL_CONTROL_PLANE_LIMITS } from './capacity/control-plane-limits.js'
import type { PartitionReport } from './capacity/partition-report.js'
import type { PartitionEvent } from './catalog/catalog.js'
import { type ControlPlaneDelays, NO_DELAYS, REAL_DELAYS } from './catalog/control-plane-delays.js'
import { Engine, type EngineStatistics } from './engine/engine.js'
import type { MetricsParameters } from './metrics/metrics-parameters.js'
import type { CapacityParameters } from './partition/capacity-parameters.js'
import { inBackground } from './storage/in-background.js'
import { LmdbStorage } from './storage/lmdb/lmdb-storage.js'
import { MemoryStorage } from './storage/memory-storage.js'
import type { Snapshot } from './storage/snapshot.js'
import type { Storage } from './storage/storage.js'
import type { StreamParameters } from './stream/stream-parameters.js'
import type { PropagationParameters } from './table/index-queue.js'
import { TraceFile } from './trace/trace-file.js'
import { traceHeader } from './trace/trace-header.js'
import { TraceRecorder } from './trace/trace-recorder.js'
import { type Connection, connectionTo } from './transport/connection.js'
import type { Endpoint, EndpointOptions } from './transport/http-endpoint.js'
import { inProcessClient } from './transport/in-process-client.js'

/** How to make a local engine. Everything has a default. */
export interface LocalOptions {
  /** Time; the machine's own by default. Give a `VirtualClock` for tests and simulation. */
  readonly clock?: Clock
  /** Chance; the process's own by default. */
  readonly random?: Random
  /** Whether capacity limits are enforced; true by default. Figures are kept either way. */
  readonly throttle?: boolean
  /**
   * A directory that keeps the data: a write is answered when it would survive a power cut. Made when it is missing; one
   * engine at a time may use it. By default the data is in memory, and gone with the engine.
   */
  readonly data?: string
  /** The region of in-process clients, and of HTTP requests whose signature names none; us-east-1 by default. */
  readonly region?: string
  /** Capacity rules that differ from the defaults, such as shorter heat before a split. */
  readonly capacity?: Partial<CapacityParameters>
  /** Stream rules that differ from the defaults, such as shards of minutes instead of hours. */
  readonly streams?: Partial<StreamParameters>
  /** How far global indexes may be behind their tables, and how much may wait for them. */
  readonly propagation?: Partial<PropagationParameters>
  /**
   * How long it takes to create, change and delete tables and indexes: nothing by default, `real` for about as long as
   * the service takes, or milliseconds of your own.
   */
  readonly controlPlaneDelays?: 'none' | 'real' | Partial<ControlPlaneDelays>
  /**
   * How fast tables may be created, changed and described, and how many at once: as documented when
   * `controlPlaneDelays` is `real`, or else without limits, unless something else is said.
   */
  readonly controlPlaneLimits?: 'none' | 'real' | Partial<ControlPlaneLimits>
  /**
   * How long a transaction holds its items, at least, in milliseconds of the clock; 1 by default. Whoever else would
   * write one of them meanwhile is refused. At 0 nothing ever overlaps.
   */
  readonly transactionMilliseconds?: number
  /**
   * How much is remembered of what CloudWatch and Contributor Insights tell, where that shall differ from the defaults;
   * false to keep no figures at all.
   */
  readonly metrics?: Partial<MetricsParameters> | false
  /**
   * A new file to record all requests in, with what they took and where they were throttled; `replayTrace` runs them
   * again. It holds what users store, and only its owner may read it. Ends with `close`.
   */
  readonly trace?: string
  /** Told of every partition that is split, or stayed hot and could not be. */
  readonly onPartitionEvent?: (event: PartitionEvent) => void
  /**
   * Told of errors that no request should cause, once when the data directory begins to refuse writes, and once when a
   * trace ends early; by default they go to the process's warnings.
   */
  readonly onBug?: (error: unknown) => void
}

/** A local DynamoDB: an engine and its doors. */
export interface Local {
  /**
   * A client of the AWS SDK whose requests are answered in this process, without a socket. Its retries wait on the
   * engine's clock. Takes the SDK's own options; works under `DynamoDBDocumentClient.from`.
   */
  client(config?: DynamoDBClientConfig): DynamoDBClient
  /**
   * The settings with which any client of the AWS SDK v3 is answered in this process, such as a `DynamoDBStreamsClient`
   * or one that the code under test makes for itself.
   *
   * @example new DynamoDBStreamsClient({ ...local.connection() })
   */
  connection(): Connection
  /**
   * Removes the tables, streams and tokens of all regions. Time goes on, endpoints stay open, clients stay good. A
   * transaction or batch that is still on its way is refused: its tables are gone.
   * @throws LocalError `storage.full`, `storage.write` when the data directory could not be emptied.
   */
  reset(): Promise<void>
  /**
   * All tables, streams and tokens at this moment, in no time however much it is. Needs data in memory.
   * @throws LocalError `snapshot.durable` when there is a data directory.
   */
  snapshot(): Snapshot
  /**
   * Goes back to a snapshot of this engine or of another one of this process, in no time however much it is; any number
   * of times. Time goes on. Partitions begin where they began then, without load or throttles, and indexes have caught up
   * with their tables. What is still on its way changes nothing any more.
   * @throws LocalError `snapshot.durable`, `snapshot.foreign`
   */
  restore(snapshot: Snapshot): void
  /** Opens an HTTP endpoint. @throws LocalError */
  listen(options: EndpointOptions): Promise<Endpoint>
  /** The partitions of a table, or of one of its indexes; empty when there is no such table or index. */
  partitions(table: string, index?: string): readonly PartitionReport[]
  statistics(): EngineStatistics
  /** Closes all endpoints and lets go of the data; what is on its way to the disk gets there first. */
  close(): Promise<void>
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

const DEFAULT_REGION = 'us-east-1'

/**
 * A DynamoDB in this process, whose tables are made of partitions that throttle, burst and split.
 *
 * @example
 * const local = createLocal()
 * const client = local.client()
 * await client.send(new ListTablesCommand({}))
 * await local.close()
 * @throws LocalError when the data directory cannot be used.
 */
export function createLocal(options: LocalOptions = {}): Local {
  const {
    clock = new SystemClock(),
    random = new SystemRandom(),
    throttle = true,
    data,
    region = DEFAULT_REGION,
    capacity = {},
    streams = {},
    propagation = {},
    controlPlaneDelays = 'none',
    controlPlaneLimits = controlPlaneDelays === 'real' ? 'real' : 'none',
    transactionMilliseconds,
    metrics = {},
    trace,
    onPartitionEvent = () => {},
    onBug = warn,
  } = options
  const storage = data === undefined ? new MemoryStorage() : new LmdbStorage(data, { onFailure: onBug })
  const stopwatch = new SystemClock()
  const traceFile = trace === undefined ? undefined : openTrace(trace, storage, onBug)
  const recorder = traceFile === undefined ? undefined : new TraceRecorder(traceFile)
  const engine = new Engine({
    storage,
    clock,
    random,
    capacity,
    streams,
    propagation,
    delays: delaysOf(controlPlaneDelays),
    controlPlaneLimits: limitsOf(controlPlaneLimits),
    throttle,
    onPartitionEvent,
    ...(transactionMilliseconds === undefined ? {} : { transactionMilliseconds }),
    metrics,
    ...(recorder === undefined ? {} : { onRequest: recorder }),
    stopwatch,
  })
  recorder?.start(traceHeader(engine, { throttle }))
  const endpoints: Endpoint[] = []
  const close = async () => {
    await Promise.all(endpoints.map((endpoint) => endpoint.close()))
    await engine.close()
    await traceFile?.close()
  }
  return {
    client: (config = {}) => inProcessClient(engine, region, random, config, onBug),
    connection: () => connectionTo(engine, region, random, onBug),
    reset: async () => {
      traceFile?.end('everything was removed at once')
      await engine.reset()
    },
    snapshot: () => engine.snapshot(),
    restore: (snapshot) => {
      traceFile?.end('a snapshot was gone back to')
      engine.restore(snapshot)
    },
    listen: async (where) => {
      // Most tests need no socket, and shall not wait for what it takes to have one.
      const { listen } = await import('./transport/http-endpoint.js')
      const endpoint = await listen(engine, region, where, onBug)
      endpoints.push(endpoint)
      return endpoint
    },
    partitions: (table, index) => engine.partitions(region, table, index) ?? [],
    statistics: () => engine.statistics,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** A store whose engine will not be is let go of. @throws LocalError `trace.exists`, `trace.write` */
function openTrace(path: string, storage: Storage, onEnd: (error: unknown) => void): TraceFile {
  try {
    return new TraceFile(path, onEnd)
  } catch (error) {
    inBackground(storage.close())
    throw error
  }
}

function delaysOf(wanted: NonNullable<LocalOptions['controlPlaneDelays']>): ControlPlaneDelays {
  if (wanted === 'real') return REAL_DELAYS
  return wanted === 'none' ? NO_DELAYS : { ...NO_DELAYS, ...wanted }
}

function limitsOf(wanted: NonNullable<LocalOptions['controlPlaneLimits']>): Partial<ControlPlaneLimits> {
  if (wanted === 'real') return REAL_CONTROL_PLANE_LIMITS
  return wanted === 'none' ? {} : wanted
}

/** Without the request: what users store is nobody's business. */
function warn(error: unknown): void {
  process.emitWarning(
    error instanceof Error ? (error.stack ?? error.message) : String(error),
    'IsothermLocalBug',
  )
}
