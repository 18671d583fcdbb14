import { type CleanRuns, totalsOf } from './clean-runs.js'

/** All that a library was tried with, now and before, as lines of a document: a column for each number of seconds of load. */
export function recordTable(record: readonly CleanRuns[], library: string): readonly string[] {
  const totals = totalsOf(record, library)
  const columns = totals.map((each) => each.rows().map(([, value]) => value))
  const names = totals[0]?.rows().map(([name]) => name) ?? []
  return [
    row(`library ${library}`, ...totals.map(({ secondsOfLoad }) => `${secondsOfLoad} s of load each`)),
    `|---|${totals.map(() => '--:|').join('')}`,
    ...names.map((name, index) => row(name, ...columns.map((column) => column[index] ?? ''))),
  ]
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
