import { OPERATIONS } from '../operations/operations.js'
import type { FuzzReport } from './fuzz.js'

/** A run whose figures are written into a document. */
export interface FuzzRun extends FuzzReport {
  readonly seed: number
  readonly connections: number
  /** The day of the run, such as `2026-11-24`. */
  readonly date: string
}

const BEGIN = '<!-- fuzz: written by `npm run fuzz -- --write docs/engine-details.md`, not by hand -->'
const END = '<!-- end of fuzz -->'

/** Returns the document with the figures of the run between its two marks. */
export function withFuzzRun(document: string, run: FuzzRun): string {
  const [before, rest] = document.split(BEGIN)
  const [, after] = (rest ?? '').split(END)
  if (before === undefined || after === undefined) {
    throw new Error(`The document must hold the marks ${BEGIN} and ${END}, in this order.`)
  }
  return `${before}${BEGIN}\n\n${figures(run)}\n\n${END}${after}`
}

function figures({ requests, statuses, succeeded, faults, seed, connections, date }: FuzzRun): string {
  const counts = [...OPERATIONS.keys()].map((operation) => succeeded.get(operation) ?? 0)
  const rows = [
    ['date, seed, connections', `${date}, ${seed}, ${connections}`],
    ['requests', grouped(requests)],
    ['faults', grouped(faults.length)],
    ...[...statuses].sort().map(([status, count]) => [`responses with status ${status}`, grouped(count)]),
    [
      'operations of which requests succeeded',
      `${counts.filter((count) => count > 0).length} of ${counts.length}`,
    ],
    ['successes of the rarest operation', grouped(Math.min(...counts))],
  ]
  return ['| | |', '|---|---|', ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n')
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}
