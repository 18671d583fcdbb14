import { availableParallelism } from 'node:os'
import { SystemClock, SystemRandom } from '@isotherm/runtime'
import { CleanRunsRecorder, nextSeed, readRecord, refuseRecorded } from '../runs/clean-runs.js'
import { libraryDigest } from '../runs/library-digest.js'
import { recordTable } from '../runs/record-table.js'
import { commandOf, type Request, runRequest, settingsOf } from '../runs/request.js'
import { type Outcome, runSeeds } from '../runs/seed-processes.js'
import { MAX_RUNS, shrink } from '../runs/shrink.js'
import { Summary } from '../runs/summary.js'
import { timeline } from '../runs/timeline.js'
import { LIBRARY as library } from '../world/library.js'
import { type ManySeeds, refuseBeyond } from './command-line.js'
import { MarkedSection } from './marked-section.js'
import { tellScript } from './tell-script.js'

const PROGRESS_MILLISECONDS = 5_000
const MAX_FIRST_SEED = 2 ** 31

/** Runs seeds until one breaks a guarantee or none is left. @returns the exit code */
export async function tryManySeeds(wanted: ManySeeds): Promise<number> {
  const section = wanted.write === undefined ? undefined : new MarkedSection(wanted.write, 'clean runs')
  const recording = wanted.record === undefined ? undefined : await begunRecord(wanted, wanted.record)
  const first = recording?.from ?? wanted.from ?? Math.floor(new SystemRandom().next() * MAX_FIRST_SEED)
  const summary = new Summary(wanted.how.seconds)
  const failed = await firstFailure(wanted, first, (outcome) => {
    summary.add(outcome.tally, outcome.cpuMilliseconds)
    recording?.recorder.add(outcome)
    return summary
  })
  recording?.recorder.end()
  for (const line of summary.lines()) console.log(line)
  if (failed?.brokenRule !== undefined) {
    await explain(failed.request, failed.brokenRule, wanted.save)
    return 1
  }
  console.log(`nothing was broken in ${wanted.seeds} ${wanted.seeds === 1 ? 'seed' : 'seeds'}`)
  if (recording !== undefined) section?.write(recordTable(readRecord(recording.path), recording.digest))
  return 0
}

/** Where to continue, and where to record it. A file that cannot be written is refused before anything is run. */
async function begunRecord({ seeds, from, how: { seconds } }: ManySeeds, path: string) {
  const digest = await libraryDigest()
  const record = readRecord(path)
  const kind = { library: digest, seconds }
  const first = from ?? nextSeed(record, kind)
  refuseBeyond(first, seeds)
  refuseRecorded(record, { ...kind, from: first, seeds })
  return { path, digest, from: first, recorder: new CleanRunsRecorder(path, { ...kind, from: first }) }
}

/** Seeds before the first one that failed have all ended by then, so that the same one is reported each time. */
async function firstFailure(
  { seeds, how, ...wanted }: ManySeeds,
  first: number,
  add: (outcome: Outcome) => Summary,
): Promise<Outcome | undefined> {
  const jobs = Math.min(wanted.jobs ?? availableParallelism(), seeds)
  console.log(`seeds ${first} to ${first + seeds - 1}, ${how.seconds} s of load each, ${jobs} at a time`)
  const clock = new SystemClock()
  const broken: Outcome[] = []
  let seed = first
  let toldAt = clock.now()
  await runSeeds({
    jobs,
    next: () => (broken.length === 0 && seed < first + seeds ? { seed: seed++, ...how } : undefined),
    onOutcome: (outcome) => {
      const sum = add(outcome)
      if (outcome.brokenRule !== undefined) broken.push(outcome)
      if (clock.now() - toldAt < PROGRESS_MILLISECONDS) return
      toldAt = clock.now()
      console.log(`${sum.seeds} of ${seeds} seeds, ${sum.requests} requests`)
    },
  })
  return broken.sort((a, b) => a.request.seed - b.request.seed)[0]
}

async function explain(failing: Request, rule: string, save: string | undefined): Promise<void> {
  console.log(`seed ${failing.seed} breaks a guarantee: ${rule}`)
  console.log(`looking for a shorter trace, in ${MAX_RUNS} runs at most ...`)
  const clock = new SystemClock()
  let toldAt = clock.now()
  const short = await shrink(library, failing, rule, (runs, best) => {
    if (clock.now() - toldAt < PROGRESS_MILLISECONDS) return
    toldAt = clock.now()
    console.log(`${runs} of at most ${MAX_RUNS} runs, the shortest so far: ${commandOf(best)}`)
  })
  const result = await runRequest(library, short, true)
  for (const line of timeline(result)) console.log(line)
  console.log(result.violation?.message)
  console.log(`again: ${commandOf(short)}`)
  await tellScript(library, settingsOf(short), save)
}
