import Table from 'cli-table3'
import { ADOPTED_KEYS, type AdoptedKeyRun, missedByAdoptedKey } from './adopted-key.js'

/** The results as a table for people: a row for each run. */
export function adoptedKeyBoard(runs: readonly AdoptedKeyRun[]): string {
  const table = new Table({
    head: [
      'load',
      'seed',
      'settled after, s',
      'items moved',
      'writes',
      'failed',
      'p99 before, ms',
      'p99, ms',
      'target',
    ],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'right', 'right', 'left'],
    style: { head: [], border: [] },
  })
  for (const load of ADOPTED_KEYS) {
    for (const run of runs.filter(({ shape }) => shape === load.name)) {
      const missed = missedByAdoptedKey(load, run)
      table.push([
        run.shape,
        run.seed,
        run.seconds.toFixed(0),
        run.movedItems.toLocaleString('en'),
        run.writes.toLocaleString('en'),
        run.failedWrites.toLocaleString('en'),
        run.p99Before.toFixed(1),
        run.p99During.toFixed(1),
        missed.length === 0 ? 'met' : `missed: ${missed.join(', ')}`,
      ])
    }
  }
  return table.toString()
}
