import { writeFileSync } from 'node:fs'
import { drawHotFileChart, type HotFileReport } from '@isotherm/scenarios'
import { CommandError, EXIT_FAILED, EXIT_OK } from '../command-error.js'
import { isGood, resultText } from '../presentation/result-table.js'
import { type Terminal, writeLine } from '../terminal.js'
import type { HotFileFlags } from './hot-file-flags.js'

/** Prints the table and writes the chart. */
export function printReport(report: HotFileReport, { chart }: HotFileFlags, { out }: Terminal): void {
  writeLine(out, resultText(report))
  if (chart === false) return
  try {
    writeFileSync(chart, drawHotFileChart(report))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CommandError(
      `The chart cannot be written (${reason}); name another file with --chart.`,
      EXIT_FAILED,
      {
        cause,
      },
    )
  }
  writeLine(out, `Chart: ${chart}`)
}

/** An incomplete trail or failed writes make the run a failure. */
export function exitCodeOf(report: HotFileReport): number {
  return isGood(report) ? EXIT_OK : EXIT_FAILED
}
