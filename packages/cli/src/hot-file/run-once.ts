import { SystemClock } from '@isotherm/runtime'
import { type Rehearsal, rehearseHotFile } from '@isotherm/scenarios'
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
  const rehearsal = await rehearseHotFile(settings, watch, rehearseInStrategyThread).finally(display.end)
  const milliseconds = stopwatch.now() - from
  const people = forPeople(terminal, flags.json)
  printReport(rehearsal.report, flags, people)
  printSpeed(rehearsal, milliseconds, people)
  if (flags.json) writeLine(terminal.out, jsonLine(rehearsal.report))
  return exitCodeOf(rehearsal.report)
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
