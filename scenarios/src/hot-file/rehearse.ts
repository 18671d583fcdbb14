import { ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { createLocal, type EngineStatistics } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { HotFileRun, type HotFileSettings, type HotFileSurroundings } from './hot-file-run.js'
import type { HotFileReport } from './report.js'

/** A run on virtual time, and the engine's work for it. */
export interface Rehearsal {
  readonly report: HotFileReport
  /** The engine's own count and time; the time is real and differs from machine to machine. */
  readonly statistics: EngineStatistics
}

/**
 * Runs the scenario on a separate local engine and on virtual time: as fast as the machine can, with the same figures
 * for the same settings on every machine.
 *
 * @throws the same errors as `HotFileRun`
 */
export async function rehearseHotFile(
  settings: HotFileSettings,
  surroundings: Pick<HotFileSurroundings, 'onProgress' | 'signal'> = {},
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
