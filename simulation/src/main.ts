import { readFileSync, writeFileSync } from 'node:fs'
import { SystemClock, SystemRandom } from '@isotherm/runtime'
import * as library from 'isotherm'
import { HELP, parsed, type Wanted } from './command-line.js'
import { huntMutant } from './mutants/hunt-mutant.js'
import { MUTANTS } from './mutants/mutants.js'
import { commandOf, type Request, runRequest, shrink } from './runs/shrink.js'
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
  const first = options.from ?? Math.floor(new SystemRandom().next() * MAX_FIRST_SEED)
  console.log(`seeds ${first} to ${first + options.seeds - 1}, ${options.seconds} s of load each`)
  const clock = new SystemClock()
  const summary = new Summary()
  const cpuFrom = process.cpuUsage()
  let toldAt = clock.now()
  for (let seed = first; seed < first + options.seeds; seed++) {
    const request = requestOf(options, seed)
    const result = await runRequest(library, request)
    summary.add(result)
    if (result.violation !== undefined) {
      await explain(request, result.violation.rule)
      return 1
    }
    if (clock.now() - toldAt < PROGRESS_MILLISECONDS) continue
    toldAt = clock.now()
    console.log(`${summary.seeds} of ${options.seeds} seeds, ${summary.requests} requests`)
  }
  const { user, system } = process.cpuUsage(cpuFrom)
  for (const line of summary.lines((user + system) / 1_000)) console.log(line)
  return 0
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
  if (write !== undefined) writeBetweenMarkers(write, rows.join('\n'))
  return missed === 0 ? 0 : 1
}

function writeBetweenMarkers(path: string, text: string): void {
  const [begin, end] = ['<!-- begin of the mutants -->', '<!-- end of the mutants -->'] as const
  const [before = '', rest = ''] = readFileSync(path, 'utf8').split(begin)
  const [, after = ''] = rest.split(end)
  writeFileSync(path, `${before}${begin}\n${text}\n${end}${after}`)
}

function requestOf({ seconds, workloads, adjustments }: Wanted, seed: number): Request {
  return { seed, seconds, workloads, adjustments }
}
