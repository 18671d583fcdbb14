import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { SystemClock, SystemRandom } from '@isotherm/runtime'
import * as library from 'isotherm'
import { HELP, parsed, type Wanted } from './command-line.js'
import { huntMutant } from './mutants/hunt-mutant.js'
import { MUTANTS } from './mutants/mutants.js'
import { CleanRunsRecorder, nextSeed, readRecord, totalsOf } from './runs/clean-runs.js'
import { libraryDigest } from './runs/library-digest.js'
import { commandOf, type Request, runRequest } from './runs/request.js'
import { type Outcome, runSeeds } from './runs/seed-processes.js'
import { shrink } from './runs/shrink.js'
import { Summary } from './runs/summary.js'
import { lineText, timeline } from './runs/timeline.js'

// `npm run simulate`: runs seeds until one breaks a guarantee, and says as shortly as it can how.

const PROGRESS_MILLISECONDS = 5_000
const MAX_FIRST_SEED = 2 ** 31

const wanted = parsed(process.argv.slice(2))
if (wanted.help) console.log(HELP)
else if (wanted.mutants) process.exitCode = await hunt(wanted)
else process.exitCode = wanted.one === undefined ? await tryMany(wanted) : await tryOne(wanted, wanted.one)

async function tryMany(options: Wanted): Promise<number> {
  const { record: path, seconds } = options
  const digest = path === undefined ? '' : await libraryDigest()
  const unused = path === undefined ? undefined : nextSeed(readRecord(path), { library: digest, seconds })
  const first = options.from ?? unused ?? Math.floor(new SystemRandom().next() * MAX_FIRST_SEED)
  const recorder =
    path === undefined ? undefined : new CleanRunsRecorder(path, { library: digest, seconds, from: first })
  const jobs = Math.min(options.jobs ?? availableParallelism(), options.seeds)
  console.log(
    `seeds ${first} to ${first + options.seeds - 1}, ${options.seconds} s of load each, ${jobs} at a time`,
  )
  const clock = new SystemClock()
  const summary = new Summary()
  const broken: Outcome[] = []
  let seed = first
  let toldAt = clock.now()
  await runSeeds({
    jobs,
    next: () => {
      const isWanted = broken.length === 0 && seed < first + options.seeds
      return isWanted ? requestOf(options, seed++) : undefined
    },
    onOutcome: (outcome) => {
      summary.add(outcome.tally, outcome.cpuMilliseconds)
      recorder?.add(outcome)
      if (outcome.brokenRule !== undefined) broken.push(outcome)
      if (clock.now() - toldAt < PROGRESS_MILLISECONDS) return
      toldAt = clock.now()
      console.log(`${summary.seeds} of ${options.seeds} seeds, ${summary.requests} requests`)
    },
  })
  recorder?.end()
  // Seeds before the first one that failed have all ended by now, so that the same one is told each time.
  const [failed] = broken.sort((a, b) => a.request.seed - b.request.seed)
  if (failed?.brokenRule !== undefined) {
    await explain(failed.request, failed.brokenRule)
    return 1
  }
  for (const line of summary.lines()) console.log(line)
  if (path !== undefined && options.write !== undefined) writeRecord(path, digest, options.write)
  return 0
}

/** All that this library was tried with, now and before, as a table. */
function writeRecord(path: string, library: string, document: string): void {
  const totals = totalsOf(readRecord(path), library)
  const rows = totals.rows().map(([name, value]) => `| ${name} | ${value} |`)
  const table = [`| library ${library} | |`, '|---|--:|', ...rows].join('\n')
  writeBetweenMarkers(document, 'clean runs', table)
}

async function tryOne(options: Wanted, seed: number): Promise<number> {
  const result = await runRequest(library, requestOf(options, seed), options.trace)
  const { violation, settings } = result
  if (options.trace) {
    const lines = violation === undefined ? result.lines.map(lineText) : timeline(result)
    for (const line of lines) console.log(line)
  }
  const outcome = violation?.message ?? 'nothing was broken'
  console.log(`seed ${seed}, ${settings.workload}, ${settings.processes} processes: ${outcome}`)
  console.log(`trace ${result.hash}, ${result.requests} requests, ${result.countChanges} count changes`)
  return violation === undefined ? 0 : 1
}

async function explain(failing: Request, rule: string): Promise<void> {
  console.log(`seed ${failing.seed} breaks a guarantee: ${rule}`)
  console.log('looking for a shorter trace ...')
  const short = await shrink(library, failing, rule)
  const result = await runRequest(library, short, true)
  for (const line of timeline(result)) console.log(line)
  console.log(result.violation?.message)
  console.log(`again: ${commandOf(short)}`)
}

async function hunt({ mutant, write }: Wanted): Promise<number> {
  const hunted = MUTANTS.filter(({ name }) => mutant === undefined || name === mutant)
  const rows = ['| planted bug | found by seed | of at most | what it broke |', '|---|--:|--:|---|']
  let missed = 0
  for (const { name, seeds, ...rest } of hunted) {
    const { seed, violation } = await huntMutant({ name, seeds, ...rest })
    if (violation === undefined) missed += 1
    rows.push(`| ${name} | ${seed ?? 'none'} | ${seeds} | ${violation?.rule ?? '**not found**'} |`)
    console.log(rows.at(-1))
  }
  console.log(`${hunted.length - missed} of ${hunted.length} planted bugs found`)
  if (write !== undefined) writeBetweenMarkers(write, 'mutants', rows.join('\n'))
  return missed === 0 ? 0 : 1
}

function writeBetweenMarkers(path: string, what: 'mutants' | 'clean runs', text: string): void {
  const [begin, end] = [`<!-- begin of the ${what} -->`, `<!-- end of the ${what} -->`] as const
  const [before, after] = [begin, end].map(
    (marker, at) => readFileSync(path, 'utf8').split(marker)[at === 0 ? 0 : 1],
  )
  if (before === undefined || after === undefined) {
    throw new Error(`${path} must hold ${begin} and, behind it, ${end}.`)
  }
  writeFileSync(path, `${before}${begin}\n${text}\n${end}${after}`)
}

function requestOf({ seconds, workloads, adjustments }: Wanted, seed: number): Request {
  return { seed, seconds, workloads, adjustments }
}
