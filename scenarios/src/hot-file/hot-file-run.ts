import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { type Clock, SeededRandom } from '@isotherm/runtime'
import type { IsothermEvent } from 'isotherm'
import type { AccessLog } from './access-log.js'
import { removeTable } from './audit-table.js'
import { endpointError } from './endpoint-error.js'
import type { HotFileProgress } from './progress.js'
import type { HotFileReport } from './report.js'
import { checkShardingParameters, type ShardingParameters } from './sharding-parameters.js'
import { openStrategy, type StrategyName } from './strategy.js'
import { StrategyRun } from './strategy-run.js'
import { TICK_MILLISECONDS, Workload } from './workload.js'
import {
  checkWorkloadParameters,
  rampEndSeconds,
  totalSeconds,
  type WorkloadParameters,
} from './workload-parameters.js'

/** The settings of a run. */
export interface HotFileSettings {
  readonly log: AccessLog
  /** The file that goes viral; default: the log's busiest. */
  readonly viralPath?: string | undefined
  readonly workload: WorkloadParameters
  readonly sharding: ShardingParameters
  readonly strategies: readonly StrategyName[]
  /** The same seed gives the same workload and, on virtual time, the same run to the last figure. */
  readonly seed: number
  /** The strategies' tables are named `<prefix>one_key` and so on. */
  readonly tablePrefix: string
}

/** The environment of a run. */
export interface HotFileSurroundings {
  /** Creates a client for each strategy, of an engine in this process or of any endpoint. */
  connect(): DynamoDBClient
  readonly clock: Clock
  /** Called four times a second of the clock. */
  readonly onProgress?: ((progress: HotFileProgress) => void) | undefined
  /** Called with the library's events. */
  readonly onEvent?: ((strategy: StrategyName, event: IsothermEvent) => void) | undefined
  /** Ends the run early. */
  readonly signal?: AbortSignal | undefined
}

export const DEFAULT_TABLE_PREFIX = 'isotherm_hot_file_'

const TICKS_PER_REPORT = 250 / TICK_MILLISECONDS

/**
 * An audit log whose busiest file goes viral, stored by several strategies side by side.
 *
 * @throws ScenarioError `workload.out-of-range`, `workload.unknown-path` or `sharding.out-of-range`
 * @example
 * const run = new HotFileRun(settings, { connect: () => local.client(), clock: new SystemClock() })
 * const { runs } = await run.run()
 */
export class HotFileRun {
  readonly clients: readonly DynamoDBClient[]
  readonly #settings: HotFileSettings
  readonly #surroundings: HotFileSurroundings
  readonly #strategies: readonly StrategyRun[]
  readonly #viralPath: string
  readonly #created = new Map<string, DynamoDBClient>()

  constructor(settings: HotFileSettings, surroundings: HotFileSurroundings) {
    this.#settings = settings
    this.#surroundings = surroundings
    this.#viralPath = checkHotFileSettings(settings).viralPath
    this.clients = settings.strategies.map(() => surroundings.connect())
    this.#strategies = this.clients.map((client, index) => this.#open(client, index))
  }

  /** Names of all tables that it creates. */
  get tables(): readonly string[] {
    return this.#strategies.flatMap(({ strategy }) => strategy.tables)
  }

  /**
   * Creates the tables, replays the workload into all strategies at once, and reads the viral file's trail back.
   *
   * @throws ScenarioError `table.exists`, `table.not-active`, `endpoint.unreachable`, `endpoint.refused`; the signal's
   * reason when it is aborted
   */
  async run(): Promise<HotFileReport> {
    await this.#createTables()
    this.#surroundings.signal?.throwIfAborted()
    await Promise.all(this.#strategies.map((strategy) => strategy.replay()))
    this.#tellProgress(true)
    const runs = await Promise.all(this.#strategies.map((strategy) => strategy.readBackAndReport()))
    const { workload, sharding, seed } = this.#settings
    const offeredPerSecond = this.#strategies[0]?.offeredPerSecond ?? 0
    return { viralPath: this.#viralPath, seed, workload, sharding, offeredPerSecond, runs }
  }

  /** Deletes the tables that this run created, and no others. */
  async removeTables(): Promise<void> {
    const removals = [...this.#created].map(([table, client]) =>
      removeTable(client, table, this.#surroundings.clock),
    )
    await Promise.all(removals)
    this.#created.clear()
  }

  #open(client: DynamoDBClient, index: number): StrategyRun {
    const { strategies, workload, sharding, seed, tablePrefix } = this.#settings
    const { clock, onEvent, signal } = this.#surroundings
    const name = strategies[index] as StrategyName
    const strategy = openStrategy(name, {
      client,
      clock,
      // A separate source of randomness, so that one strategy's figures do not depend on which others run.
      random: new SeededRandom(seed + LIBRARY_SEED),
      sharding,
      tablePrefix,
      onEvent: (event) => {
        run.heard(event)
        onEvent?.(name, event)
      },
    })
    const run: StrategyRun = new StrategyRun({
      strategy,
      client,
      workload: newWorkload(this.#settings),
      parameters: workload,
      clock,
      signal: signal ?? new AbortController().signal,
      onTick: index === 0 ? () => this.#tick() : () => {},
    })
    return run
  }

  async #createTables(): Promise<void> {
    const creations = this.#strategies.map(({ strategy, client }) =>
      strategy.createTables((table) => this.#created.set(table, client)),
    )
    // Wait for all, so that the created tables are known even when one of them failed.
    for (const creation of await Promise.allSettled(creations)) {
      if (creation.status === 'rejected') throw endpointError(creation.reason)
    }
  }

  #ticks = 0
  #tick(): void {
    if (++this.#ticks % TICKS_PER_REPORT === 0) this.#tellProgress(false)
  }

  #tellProgress(isReadBack: boolean): void {
    const { workload } = this.#settings
    const seconds = totalSeconds(workload)
    const elapsedSeconds = isReadBack ? seconds : (this.#ticks * TICK_MILLISECONDS) / 1_000
    this.#surroundings.onProgress?.({
      phase: isReadBack ? 'read-back' : phaseAt(workload, elapsedSeconds),
      viralPath: this.#viralPath,
      elapsedSeconds,
      totalSeconds: seconds,
      strategies: this.#strategies.map((strategy) => strategy.progress(Math.floor(elapsedSeconds))),
    })
  }
}

/**
 * Checks settings before anything is run with them. @returns the file that goes viral
 * @throws ScenarioError `workload.out-of-range`, `workload.unknown-path` or `sharding.out-of-range`
 */
export function checkHotFileSettings(settings: HotFileSettings): { readonly viralPath: string } {
  checkWorkloadParameters(settings.workload)
  checkShardingParameters(settings.sharding)
  return newWorkload(settings)
}

/** Every strategy gets the same writes at the same times. */
function newWorkload({ log, workload, seed, viralPath }: HotFileSettings): Workload {
  return new Workload(log, workload, new SeededRandom(seed), viralPath)
}

/** Far from the workload's seeds, which people count up from 1. */
const LIBRARY_SEED = 1_000_000

function phaseAt(workload: WorkloadParameters, seconds: number): HotFileProgress['phase'] {
  if (seconds < workload.calmSeconds) return 'calm'
  return seconds < rampEndSeconds(workload) ? 'ramp' : 'hold'
}
