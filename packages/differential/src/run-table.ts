import type { Findings } from './run/compare.js'

/** A run that is recorded in the document. */
export interface RecordedRun {
  readonly seed: number
  /** The day of the run, such as `2026-11-24`. */
  readonly date: string
  readonly findings: Pick<Findings, 'compared' | 'equal' | 'unexplained'>
}

const BEGIN = '<!-- runs: written by `npm run differential -- --record`, not by hand -->'
const END = '<!-- end of runs -->'
const HEAD = '| seed | requests | equal | excepted by name | unexplained | date |'
const RULE = '|---|---|---|---|---|---|'
const TOTAL = '| **all** |'

/** Returns the document with a row for the run, in place of an earlier one of the same seed, and with the sums of all rows. */
export function withRun(document: string, { seed, date, findings }: RecordedRun): string {
  const [before, rest] = document.split(BEGIN)
  const [runs, after] = (rest ?? '').split(END)
  if (before === undefined || runs === undefined || after === undefined) {
    throw new Error(`The document must hold the marks ${BEGIN} and ${END}, in this order.`)
  }
  const { compared, equal, unexplained } = findings
  const counts = [compared, equal, compared - equal - unexplained.length, unexplained.length]
  const others = runs
    .split('\n')
    .filter((line) => /^\| \d/.test(line) && seedOf(line) !== seed)
    .map((line) => line.trim())
  const row = `| ${[seed, ...counts].map(grouped).join(' | ')} | ${date} |`
  const rows = [...others, row].sort((one, other) => seedOf(one) - seedOf(other))
  const sums = counts.map((_, column) => rows.reduce((sum, line) => sum + numberIn(line, column + 2), 0))
  const table = [HEAD, RULE, ...rows, `${TOTAL} ${sums.map(grouped).join(' | ')} | |`].join('\n')
  return `${before}${BEGIN}\n\n${table}\n\n${END}${after}`
}

function seedOf(row: string): number {
  return numberIn(row, 1)
}

function numberIn(row: string, column: number): number {
  return Number(row.split('|')[column]?.replaceAll(',', ''))
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}
