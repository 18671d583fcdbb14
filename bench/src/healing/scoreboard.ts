import Table from 'cli-table3'
import type { HealingRun } from './run-shape.js'
import type { HealingTarget, Shape } from './shape.js'

/** The results as a table for people: a row for each run. */
export function scoreboard(shapes: readonly Shape[], runs: readonly HealingRun[]): string {
  const table = new Table({
    head: [
      'load',
      'by',
      'seed',
      'healed',
      'shards',
      'units lost',
      'of',
      'map reads/s',
      'writes/s',
      'moved units',
      'target',
    ],
    colAligns: ['left', 'left', ...Array<'right'>(8).fill('right'), 'left'],
    style: { head: [], border: [] },
  })
  for (const shape of shapes) {
    for (const run of runs.filter((each) => each.shape === shape.name)) {
      table.push([
        shape.name,
        run.contestant,
        run.seed,
        run.healedAt === undefined ? 'never' : `${run.healedAt} s`,
        run.shards,
        run.lostUnits.toLocaleString('en'),
        run.offeredUnits.toLocaleString('en'),
        run.shardMapReads.toFixed(1),
        run.shardMapWrites.toFixed(1),
        run.movedUnits.toLocaleString('en'),
        missedOf(run, shape.target).join(', ') || 'met',
      ])
    }
  }
  return table.toString()
}

/** What a run did not reach, each as a sentence of a few words. */
export function missedOf(run: Omit<HealingRun, 'seconds'>, target: HealingTarget): readonly string[] {
  const { healedSeconds, lastFailureSeconds, maxShards, maxLostUnits, maxShardMapWrites, maxMovedShare } =
    target
  const missed: string[] = []
  if (healedSeconds !== undefined && (run.healedAt ?? Number.POSITIVE_INFINITY) > healedSeconds) {
    missed.push(`healed by ${healedSeconds} s`)
  }
  if (lastFailureSeconds !== undefined && run.lastFailureAt > lastFailureSeconds) {
    missed.push(`no failure after ${lastFailureSeconds} s (the last at ${run.lastFailureAt} s)`)
  }
  if (maxShards !== undefined && run.shards > maxShards) missed.push(`at most ${maxShards} shards`)
  if (maxLostUnits !== undefined && run.lostUnits > maxLostUnits) {
    missed.push(`at most ${maxLostUnits.toLocaleString('en')} units lost`)
  }
  if (maxShardMapWrites !== undefined && run.shardMapWrites > maxShardMapWrites) {
    missed.push(`at most ${maxShardMapWrites} writes/s to the shard map`)
  }
  if (maxMovedShare !== undefined && run.movedUnits > maxMovedShare * run.offeredUnits) {
    missed.push(`at most ${maxMovedShare * 100} % of the units for moving items`)
  }
  if (target.isSensed === true && run.unsensedProcesses > 0) {
    missed.push(`events of throttles in all processes (${run.unsensedProcesses} without)`)
  }
  if (target.emits !== undefined && (run.events[target.emits] ?? 0) === 0) {
    missed.push(`the event ${target.emits}`)
  }
  return missed
}
