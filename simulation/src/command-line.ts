import { parseArgs } from 'node:util'
import { WORKLOADS, type WorkloadName } from './runs/settings.js'
import { type Adjustments, NO_ADJUSTMENTS } from './runs/switches.js'

/** What the command was asked for. */
export interface Wanted {
  readonly seeds: number
  /** `undefined` for any that was not tried before. */
  readonly from: number | undefined
  readonly one: number | undefined
  readonly seconds: number
  /** Processes that seeds are run in; `undefined` for one on each core. */
  readonly jobs: number | undefined
  readonly workloads: readonly WorkloadName[]
  readonly trace: boolean
  readonly mutants: boolean
  readonly mutant: string | undefined
  /** A file of what was clean before: seeds go on behind it, and are added to it. */
  readonly record: string | undefined
  /** A document for what came of the mutants, or for what the record holds. */
  readonly write: string | undefined
  readonly help: boolean
  readonly adjustments: Adjustments
}

export const HELP = `Simulates applications that use isotherm, and tries to break its guarantees.

  npm run simulate -- [options]

  --seeds N        how many seeds (100)
  --from N         the first of them; any by default
  --seed N         this one alone
  --seconds N      simulated seconds of load in each run (120)
  --jobs N         processes that share the seeds (one on each core)
  --workload W     ${WORKLOADS.join(', ')}; several with commas; all by default
  --trace          show what happened, line by line, to what a violation is about, or else everything
  --mutants        plant each known bug in a copy of the library and look whether it is found
  --mutant NAME    only this one
  --record FILE    go on behind the seeds that the same library was clean with before, and write down those that are now
  --write FILE     put what came of the mutants, or what the record holds, into a document, between its markers
  --without X,Y    switch off: lost-requests, lost-replies, late-requests, server-errors, conflicts, split-batches, pauses, crashes,
                   jumps, drift, calendars, throttling, splits, read-lag, index-lag, slow-transactions, operators, quiet-keys, sdk
  --processes N    so many processes, whatever the seed says
  --writes N       so many writes a second
  --lateness X     requests arrive up to X times as late as the library was told: shows what the bound is for`

/** @throws TypeError or RangeError for what cannot be understood, with a sentence */
export function parsed(args: readonly string[]): Wanted {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string', default: '100' },
      from: { type: 'string' },
      seed: { type: 'string' },
      seconds: { type: 'string', default: '120' },
      jobs: { type: 'string' },
      workload: { type: 'string', default: 'all' },
      trace: { type: 'boolean', default: false },
      mutants: { type: 'boolean', default: false },
      mutant: { type: 'string' },
      write: { type: 'string' },
      record: { type: 'string' },
      without: { type: 'string' },
      processes: { type: 'string' },
      writes: { type: 'string' },
      lateness: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  })
  const narrowing = (['workload', 'without', 'processes', 'writes'] as const).find(
    (name) => values[name] !== undefined && values[name] !== 'all',
  )
  if (values.record !== undefined && (narrowing !== undefined || values.lateness !== '1')) {
    throw new RangeError(
      `--record is of whole runs, and --${narrowing ?? 'lateness'} makes them others; leave one of the two out.`,
    )
  }
  return {
    seeds: wholeNumber('seeds', values.seeds),
    from: optionalNumber('from', values.from),
    one: optionalNumber('seed', values.seed),
    seconds: wholeNumber('seconds', values.seconds),
    jobs: jobsOf(values.jobs),
    workloads: workloadsOf(values.workload),
    trace: values.trace,
    mutants: values.mutants || values.mutant !== undefined,
    mutant: values.mutant,
    write: values.write,
    record: values.record,
    help: values.help,
    adjustments: {
      ...NO_ADJUSTMENTS,
      without: values.without === undefined ? [] : values.without.split(','),
      processes: optionalNumber('processes', values.processes),
      writesPerSecond: optionalNumber('writes', values.writes),
      lateness: Number(values.lateness),
    },
  }
}

function optionalNumber(name: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : wholeNumber(name, text)
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new RangeError(`--${name} is ${text}; it must be a whole number from 0 up.`)
}

function jobsOf(text: string | undefined): number | undefined {
  if (text !== '0') return optionalNumber('jobs', text)
  throw new RangeError('--jobs is 0; it must be a whole number from 1 up.')
}

function workloadsOf(text: string): readonly WorkloadName[] {
  if (text === 'all') return WORKLOADS
  return text.split(',').map((name) => {
    const known = WORKLOADS.find((workload) => workload === name)
    if (known !== undefined) return known
    throw new RangeError(`There is no workload ${name}; there are ${WORKLOADS.join(', ')}.`)
  })
}
