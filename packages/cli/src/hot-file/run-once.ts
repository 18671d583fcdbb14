import { SystemClock } from '@isotherm/runtime'
import { type HotFileSettings, type Rehearsal, rehearseHotFile, totalSeconds } from '@isotherm/scenarios'
import { interruption } from '../interruption.js'
import { grouped } from '../presentation/figures.js'
import { jsonLine } from '../presentation/json-line.js'
import { progressDisplay } from '../presentation/progress-display.js'
import { forPeople, type Terminal, writeLine } from '../terminal.js'
import { type HotFileFlags, settingsOf } from './hot-file-flags.js'
import { exitCodeOf, printReport } from './print-report.js'
import { rehearseInStrategyThread } from './strategy-thread.js'

/** Runs the scenario on virtual time. @returns the exit code */
export async function runOnce(flags: HotFileFlags, terminal: Terminal): Promise<number> {
  const settings = settingsOf(flags)
  const signal = interruption()
  const display = progressDisplay(terminal)
  const stopwatch = new SystemClock()
  const from = stopwatch.now()
  const watch = { onProgress: display.show, signal }
  const rehearse = isWorthThreads(settings) ? rehearseInStrategyThread : undefined
  const rehearsal = await rehearseHotFile(settings, watch, rehearse).finally(display.end)
  const milliseconds = stopwatch.now() - from
  const people = forPeople(terminal, flags.json)
  printReport(rehearsal.report, flags, people)
  printSpeed(rehearsal, milliseconds, people)
  if (flags.json) writeLine(terminal.out, jsonLine(rehearsal.report))
  return exitCodeOf(rehearsal.report)
}

/** A run of 600 writes took 2.3 times the processor time with threads, because each of them loads the SDK and the library. */
const LEAST_WRITES_FOR_THREADS = 30_000

/** The figures are the same with threads and without. */
function isWorthThreads({ strategies, workload }: HotFileSettings): boolean {
  const { baseWritesPerSecond, viralWritesPerSecond } = workload
  const writes = strategies.length * totalSeconds(workload) * (baseWritesPerSecond + viralWritesPerSecond)
  return strategies.length > 1 && writes >= LEAST_WRITES_FOR_THREADS
}

/** Printed separately and labelled: the only figures that differ from run to run. */
function printSpeed({ statistics }: Rehearsal, milliseconds: number, { out }: Terminal): void {
  const { requests, busyMilliseconds } = statistics
  const perSecond = (time: number) => grouped((requests / time) * 1_000)
  const seconds = (time: number) => `${(time / 1_000).toFixed(1)} s`
  writeLine(out)
  writeLine(out, 'This machine (wall clock, differs from run to run):')
  writeLine(
    out,
    `  the engine carried ${grouped(requests)} requests in ${seconds(busyMilliseconds)}: ${perSecond(busyMilliseconds)} requests/s`,
  )
  writeLine(
    out,
    `  end to end, with SDK, library and workload: ${seconds(milliseconds)}: ${perSecond(milliseconds)} requests/s`,
  )
}
