import { SystemClock } from '@isotherm/runtime'
import { HotFileRun } from '@isotherm/scenarios'
import { CommandError } from '../command-error.js'
import { connectTo } from '../endpoint-client.js'
import { interruption } from '../interruption.js'
import { jsonLine } from '../presentation/json-line.js'
import { type ProgressDisplay, progressDisplay } from '../presentation/progress-display.js'
import { forPeople, type Terminal, writeLine } from '../terminal.js'
import { type HotFileFlags, settingsOf } from './hot-file-flags.js'
import { exitCodeOf, printReport } from './print-report.js'

/** Runs the scenario against an endpoint and real time. @returns the exit code */
export async function runOnEndpoint(flags: HotFileFlags, endpoint: URL, terminal: Terminal): Promise<number> {
  if (flags.once) {
    throw new CommandError(
      '--once is virtual time, which an endpoint elsewhere cannot follow; use --endpoint without --once.',
    )
  }
  const settings = settingsOf(flags)
  const signal = interruption()
  let display: ProgressDisplay | undefined
  const run = new HotFileRun(settings, {
    connect: () => connectTo(endpoint, flags.region, flags),
    clock: new SystemClock(),
    onProgress: (progress) => display?.show(progress),
    signal,
  })
  const until = flags.keepTables ? 'and leaves them there' : 'and removes them at the end'
  display = progressDisplay(terminal, [
    `At ${endpoint.origin}: creates the tables ${run.tables.join(', ')}, ${until}.`,
  ])
  try {
    const report = await run.run().finally(display.end)
    printReport(report, flags, forPeople(terminal, flags.json))
    if (flags.json) writeLine(terminal.out, jsonLine(report))
    return exitCodeOf(report)
  } finally {
    if (!flags.keepTables) await run.removeTables()
    for (const client of run.clients) client.destroy()
  }
}
