import { ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { createLocal, type EngineStatistics } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import {
  checkHotFileSettings,
  HotFileRun,
  type HotFileSettings,
  type HotFileSurroundings,
} from './hot-file-run.js'
import { JoinedProgress } from './joined-progress.js'
import type { HotFileReport } from './report.js'

/** A run on virtual time, and the engine's work for it. */
export interface Rehearsal {
  readonly report: HotFileReport
  /** The engines' own count and time; the time is real and differs from machine to machine. */
  readonly statistics: EngineStatistics
}

type RehearsalSurroundings = Pick<HotFileSurroundings, 'onProgress' | 'signal'>

/** Rehearses the only strategy of its settings. */
export type RehearseStrategy = (
  settings: HotFileSettings,
  surroundings: RehearsalSurroundings,
) => Promise<Rehearsal>

/**
 * Runs the scenario on virtual time: as fast as the machine can, with the same figures for the same settings on every
 * machine. Each strategy has its own local engine and its own clock, so its figures do not depend on which others run,
 * nor on the thread that runs it.
 *
 * @param rehearse runs one strategy; by default in this thread
 * @throws the same errors as `HotFileRun`
 */
export async function rehearseHotFile(
  settings: HotFileSettings,
  { onProgress, signal }: RehearsalSurroundings = {},
  rehearse: RehearseStrategy = rehearseStrategy,
): Promise<Rehearsal> {
  checkHotFileSettings(settings)
  const progress = new JoinedProgress(settings.strategies, onProgress)
  const failed = new AbortController()
  const either = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal])
  // The SDK makes an error for each request, the engine one for each throttled attempt, and nobody reads where. To find
  // that out took 8 % of the processor time.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    const rehearsals = settings.strategies.map((strategy) =>
      rehearse(
        { ...settings, strategies: [strategy] },
        { signal: either, onProgress: (own) => progress.made(strategy, own) },
      ),
    )
    return joined(await Promise.all(rehearsals))
  } catch (error) {
    failed.abort(error)
    throw error
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

async function rehearseStrategy(
  settings: HotFileSettings,
  surroundings: RehearsalSurroundings,
): Promise<Rehearsal> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(settings.seed + ENGINE_SEED) })
  try {
    const run = new HotFileRun(settings, { ...surroundings, connect: () => local.client(), clock })
    // A client's first request looks for its configuration in files, which virtual time cannot wait for.
    for (const client of run.clients) await client.send(new ListTablesCommand({}))
    const report = await clock.run(() => run.run())
    return { report, statistics: local.statistics() }
  } finally {
    await local.close()
  }
}

const ENGINE_SEED = 2_000_000

/** They differ in their runs alone. */
function joined(rehearsals: readonly Rehearsal[]): Rehearsal {
  const [first] = rehearsals
  if (first === undefined) throw new RangeError('A rehearsal needs a strategy.')
  const statistics = { requests: 0, throttledRequests: 0, busyMilliseconds: 0 }
  for (const { statistics: own } of rehearsals) {
    statistics.requests += own.requests
    statistics.throttledRequests += own.throttledRequests
    statistics.busyMilliseconds += own.busyMilliseconds
  }
  return { report: { ...first.report, runs: rehearsals.flatMap(({ report }) => report.runs) }, statistics }
}
