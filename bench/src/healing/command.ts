import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { SystemClock } from '@isotherm/runtime'
import { PageSection } from '../page-section.js'
import { ADOPTED_KEYS, runAdoptedKey } from './adopted-key.js'
import { adoptedKeyBoard } from './adopted-key-board.js'
import { BULK_INDEX, runBulkIndex } from './bulk-index.js'
import { bulkIndexBoard } from './bulk-index-board.js'
import { type Contestant, DEFAULTS, OTHERS } from './contestant.js'
import { drawHealingChart } from './healing-chart.js'
import { healingPage } from './healing-page.js'
import { HealingRecord, type RecordedRun } from './healing-record.js'
import { type HealingRun, runShape } from './run-shape.js'
import { scoreboard } from './scoreboard.js'
import type { Shape } from './shape.js'
import { SHAPES } from './shapes.js'

const LOADS = [...SHAPES, BULK_INDEX, ...ADOPTED_KEYS]

const USAGE = `npm run bench -- healing [--only LOAD,...] [--against NAME,...] [--seeds 1,2,...]
                               [--record FILE [--write PAGE]]

Measures on virtual time how a hot key heals, and prints a row for each run.

  --only     none, or loads: ${LOADS.map(({ name }) => name).join(', ')}
  --against  besides the library's defaults: ${OTHERS.map(({ name }) => name).join(', ')}, or all
  --seeds    whole numbers; the same seed gives the same run (default 1)
  --record   the file that keeps the last result of each run, as JSON lines
  --write    the page that gets the table of the whole record, and charts in the folder of its name`

const MARKS = {
  begin:
    '<!-- healing: npm run bench -- healing --record bench/results/healing.jsonl --write docs/healing.md -->',
  end: '<!-- /healing -->',
}

/** Runs the benchmark `healing`. */
export async function healing(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      against: { type: 'string' },
      seeds: { type: 'string', default: '1' },
      record: { type: 'string' },
      write: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const record = values.record === undefined ? undefined : new HealingRecord(values.record)
  const page = values.write === undefined ? undefined : pageOf(values.write, record)
  const loads = named(LOADS, values.only, '--only')
  const shapes = SHAPES.filter((shape) => loads.includes(shape))
  const others = values.against === undefined ? [] : named(OTHERS, values.against, '--against')
  const seeds = values.seeds.split(',').map(seedOf)
  const contestants = [DEFAULTS, ...others]
  const today = new Date(new SystemClock().now()).toISOString().slice(0, 10)
  const runs = await allOf(shapes, contestants, seeds, async (...asked) => {
    const run = await measured(...asked)
    record?.add(run, today)
    record?.save()
    return run
  })
  if (runs.length > 0) console.log(scoreboard(shapes, runs))
  const bulkLoads = loads.includes(BULK_INDEX) ? [BULK_INDEX] : []
  const bulk = await allOf(bulkLoads, contestants, seeds, async (_load, contestant, seed) => {
    const run = await runBulkIndex(contestant, seed)
    record?.addBulk(run, today)
    record?.save()
    return run
  })
  if (bulk.length > 0) console.log(bulkIndexBoard(bulk))
  const adopted = ADOPTED_KEYS.filter((load) => loads.includes(load))
  const adoptedRuns = await allOf(adopted, [DEFAULTS], seeds, async (load, _contestant, seed) => {
    const run = await runAdoptedKey(load, seed)
    record?.addAdopted(run, today)
    record?.save()
    return run
  })
  if (adoptedRuns.length > 0) console.log(adoptedKeyBoard(adoptedRuns))
  if (record !== undefined) page?.(record)
}

/** Runs each load with each contestant and seed, one after the other. */
async function allOf<Load, Run>(
  loads: readonly Load[],
  contestants: readonly Contestant[],
  seeds: readonly number[],
  run: (load: Load, contestant: Contestant, seed: number) => Promise<Run>,
): Promise<readonly Run[]> {
  const runs: Run[] = []
  for (const load of loads) {
    for (const contestant of contestants) {
      for (const seed of seeds) runs.push(await run(load, contestant, seed))
    }
  }
  return runs
}

/** @returns what writes the page and its charts. @throws Error if it cannot be written, before anything is measured */
function pageOf(path: string, record: HealingRecord | undefined): (record: HealingRecord) => void {
  if (record === undefined)
    throw new Error('--write needs --record: the page shows the results of the record.')
  const section = new PageSection(path, MARKS)
  const folder = basename(path, '.md')
  return ({ runs, bulkRuns, adoptedRuns }) => {
    mkdirSync(join(dirname(path), folder), { recursive: true })
    const pictures = SHAPES.flatMap((shape) => {
      const drawn = drawnRuns(runs.filter((run) => run.shape === shape.name))
      if (drawn.length < 2) return []
      const file = `${folder}/${shape.name}.svg`
      writeFileSync(join(dirname(path), file), drawHealingChart(shape, drawn))
      return [{ shape, path: file }]
    })
    section.write(healingPage({ shapes: SHAPES, runs, bulkRuns, adoptedRuns, pictures }))
  }
}

/** The first run of each contestant, the library's first. A load without another contestant has nothing to compare. */
function drawnRuns(runs: readonly RecordedRun[]): readonly RecordedRun[] {
  const first = (name: string) => runs.filter(({ contestant }) => contestant === name).slice(0, 1)
  return [DEFAULTS, ...OTHERS].flatMap(({ name }) => first(name))
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
  if (wanted === 'none') return []
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
