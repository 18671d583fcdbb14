import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { BULK_INDEX, type BulkIndexRun, runBulkIndex } from './bulk-index.js'
import { bulkIndexBoard } from './bulk-index-board.js'
import { type Contestant, DEFAULTS, OTHERS } from './contestant.js'
import { type HealingRun, runShape } from './run-shape.js'
import { scoreboard } from './scoreboard.js'
import type { Shape } from './shape.js'
import { SHAPES } from './shapes.js'

const USAGE = `npm run bench -- healing [--only LOAD,...] [--against NAME,...] [--seeds 1,2,...] [--write FILE]

Measures on virtual time how a hot key heals, and prints a row for each run.

  --only     loads: ${[...SHAPES, BULK_INDEX].map(({ name }) => name).join(', ')}
  --against  besides the library's defaults: ${OTHERS.map(({ name }) => name).join(', ')}, or all
  --seeds    whole numbers; the same seed gives the same run (default 1)
  --write    the results as JSON lines, with their curves`

/** Runs the benchmark `healing`. */
export async function healing(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      against: { type: 'string' },
      seeds: { type: 'string', default: '1' },
      write: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const loads = named([...SHAPES, BULK_INDEX], values.only, '--only')
  const shapes = SHAPES.filter((shape) => loads.includes(shape))
  const others = values.against === undefined ? [] : named(OTHERS, values.against, '--against')
  const seeds = values.seeds.split(',').map(seedOf)
  const runs: HealingRun[] = []
  for (const shape of shapes) {
    for (const contestant of [DEFAULTS, ...others]) {
      for (const seed of seeds) runs.push(await measured(shape, contestant, seed))
    }
  }
  if (shapes.length > 0) console.log(scoreboard(shapes, runs))
  const bulk: BulkIndexRun[] = []
  for (const contestant of loads.includes(BULK_INDEX) ? [DEFAULTS, ...others] : []) {
    for (const seed of seeds) bulk.push(await runBulkIndex(contestant, seed))
  }
  if (bulk.length > 0) console.log(bulkIndexBoard(bulk))
  if (values.write !== undefined) {
    writeFileSync(values.write, [...runs, ...bulk].map((run) => `${JSON.stringify(run)}\n`).join(''))
  }
}

async function measured(shape: Shape, contestant: Contestant, seed: number): Promise<HealingRun> {
  process.stderr.write(`${shape.name}, ${contestant.name}, seed ${seed} ... `)
  const run = await runShape(shape, contestant, seed)
  const steps = run.shardsAt.map(({ second, shards }) => `${shards} at ${second.toFixed(0)} s`)
  process.stderr.write(
    `${run.healedAt === undefined ? 'not healed' : `healed at ${run.healedAt} s`}; shards ${steps.join(', ')}; ${eventsOf(run)}\n`,
  )
  return run
}

function eventsOf({ events }: HealingRun): string {
  return Object.entries(events)
    .map(([type, count]) => `${type} ${count}`)
    .join(', ')
}

function named<T extends { readonly name: string }>(
  all: readonly T[],
  wanted: string | undefined,
  option: string,
): readonly T[] {
  if (wanted === undefined || wanted === 'all') return all
  return wanted.split(',').map((name) => {
    const found = all.find((each) => each.name === name)
    if (found !== undefined) return found
    throw new Error(
      `${option} ${name} is unknown. Choose from ${all.map((each) => each.name).join(', ')}, or all.`,
    )
  })
}

function seedOf(text: string): number {
  const seed = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(seed)) return seed
  throw new Error(`--seeds has '${text}'. A seed is a whole number, such as 1.`)
}
