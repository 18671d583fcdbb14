import { CONSOLE_PATH, type ConsoleSite } from '@isotherm/console'
import { type Endpoint, type Local, LocalError } from '@isotherm/local'
import { SystemClock } from '@isotherm/runtime'
import { HotFileRun } from '@isotherm/scenarios'
import { localWithConsole } from '../console/local-with-console.js'
import { scaledEvent } from '../console/scaled-event.js'
import { interruption, untilInterrupted } from '../interruption.js'
import { jsonLine } from '../presentation/json-line.js'
import { progressDisplay } from '../presentation/progress-display.js'
import { forPeople, type Terminal, writeLine } from '../terminal.js'
import { type HotFileFlags, settingsOf } from './hot-file-flags.js'
import { exitCodeOf, printReport } from './print-report.js'

/** Runs the scenario on a local engine and real time, and leaves its endpoint running. @returns the exit code */
export async function runOnLocal(flags: HotFileFlags, terminal: Terminal): Promise<number> {
  const settings = settingsOf(flags)
  const signal = interruption()
  const clock = new SystemClock()
  const { local, site } = localWithConsole({ clock }, { [`${settings.tablePrefix}fixed`]: '_' })
  try {
    const endpoint = await listenFrom(local, site, flags.port, terminal)
    const watched = settings.strategies.includes('dynamic') ? `?table=${settings.tablePrefix}dynamic` : ''
    const display = progressDisplay(terminal, [
      `Local DynamoDB: ${endpoint.url}, data in memory.`,
      `Console: ${endpoint.url}${CONSOLE_PATH}${watched} shows the file become hot, and cool.`,
    ])
    const run = new HotFileRun(settings, {
      connect: () => local.client(),
      clock,
      onProgress: display.show,
      onEvent: (_strategy, event) => {
        const shown = scaledEvent(event, 'isotherm run hot-file')
        if (shown !== undefined) site.event(shown)
      },
      signal,
    })
    const report = await run.run().finally(display.end)
    const people = forPeople(terminal, flags.json)
    printReport(report, flags, people)
    writeLine(people.out)
    writeLine(
      people.out,
      `The endpoint ${endpoint.url} stays up with the tables (region us-east-1); Ctrl-C ends it.`,
    )
    if (flags.json) writeLine(terminal.out, jsonLine(report))
    await untilInterrupted(signal)
    return exitCodeOf(report)
  } finally {
    await local.close()
  }
}

/** How many more ports are tried when one is taken. */
const MAX_NEXT_PORTS = 20
const LAST_PORT = 65_535

async function listenFrom(
  local: Local,
  site: ConsoleSite,
  port: number,
  terminal: Terminal,
): Promise<Endpoint> {
  for (let at = port; ; at++) {
    try {
      return await local.listen({ port: at, site })
    } catch (error) {
      const isTaken = error instanceof LocalError && error.code === 'endpoint.port-taken'
      if (!isTaken || at >= Math.min(LAST_PORT, port + MAX_NEXT_PORTS)) throw error
      writeLine(terminal.err, `Port ${at} is taken; trying ${at + 1}.`)
    }
  }
}
