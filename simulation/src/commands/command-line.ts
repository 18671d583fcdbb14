import { parseArgs } from 'node:util'
import { CommandError } from '../command-error.js'
import type { Mutant } from '../mutants/mutant.js'
import { MUTANTS } from '../mutants/mutants.js'
import { MODE_NAMES } from '../runs/modes/mode.js'
import { MODES, workloadsOf } from '../runs/modes/modes.js'
import type { Request } from '../runs/request.js'
import { WORKLOADS } from '../runs/settings.js'
import { type Adjustments, NO_ADJUSTMENTS, SWITCHES } from '../runs/switches.js'
import { decimalNumber, listOf, oneOf, wholeNumber } from './option-values.js'

/** What the command was asked for. */
export type Command =
  | { readonly kind: 'help' }
  | Hunt
  | ModeHunt
  | RateHunt
  | RegionsTrial
  | OneSeed
  | ManySeeds
  | PlayedScript

/** To hunt planted bugs. */
export interface Hunt {
  readonly kind: 'hunt'
  readonly mutants: readonly Mutant[]
  /** A document for what came of them. */
  readonly write: string | undefined
  /** A file for a script of the seed that shows the planted bug. */
  readonly save: string | undefined
}

/** To hunt the planted bugs of modes, with and without the mode. */
export interface ModeHunt {
  readonly kind: 'mode hunt'
  readonly write: string | undefined
}

/** To count how many planted bugs are found in an hour, with modes and without. */
export interface RateHunt {
  readonly kind: 'rate hunt'
  readonly write: string | undefined
}

/** To run the setups of a global table of two regions. */
export interface RegionsTrial {
  readonly kind: 'regions'
  /** Of each setup. */
  readonly seeds: number
  /** A document for what came of them. */
  readonly write: string | undefined
}

/** To run the tests of one script. */
export interface PlayedScript {
  readonly kind: 'script'
  readonly file: string
  /** A bug that is planted into the library meanwhile. */
  readonly mutant: Mutant | undefined
}

/** To run one seed. */
export interface OneSeed {
  readonly kind: 'one seed'
  readonly request: Request
  readonly trace: boolean
  /** A file for a script of the seed, where it breaks something. */
  readonly save: string | undefined
}

/** To run seeds until one breaks something. */
export interface ManySeeds {
  readonly kind: 'many seeds'
  readonly seeds: number
  /** `undefined` for any that was not tried before. */
  readonly from: number | undefined
  /** Processes that seeds are run in; `undefined` for one on each core. */
  readonly jobs: number | undefined
  /** What each seed is run as. */
  readonly how: Omit<Request, 'seed'>
  /** A file of the seeds that were clean before: the next ones follow them, and are added to it. */
  readonly record: string | undefined
  /** A document for what the record holds. */
  readonly write: string | undefined
  /** A file for a script of the seed that breaks something. */
  readonly save: string | undefined
}

/** Chance is drawn from 32 bits: beyond them seeds repeat. */
const MAX_SEED = 2 ** 32 - 1
const MAX_SEEDS = 1_000_000_000
const MAX_SECONDS = 86_400
const MAX_JOBS = 256
const MAX_PROCESSES = 1_000
const MAX_WRITES = 10_000
const MAX_LATENESS = 100

/** All there are. Each is text: what it may be is checked with a sentence. */
export const OPTIONS = {
  seeds: { type: 'string' },
  from: { type: 'string' },
  seed: { type: 'string' },
  seconds: { type: 'string' },
  jobs: { type: 'string' },
  workload: { type: 'string' },
  trace: { type: 'boolean' },
  mutants: { type: 'boolean' },
  modes: { type: 'boolean' },
  rates: { type: 'boolean' },
  regions: { type: 'boolean' },
  mutant: { type: 'string' },
  script: { type: 'string' },
  save: { type: 'string' },
  write: { type: 'string' },
  record: { type: 'string' },
  without: { type: 'string' },
  processes: { type: 'string' },
  writes: { type: 'string' },
  lateness: { type: 'string' },
  mode: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

type OptionName = keyof typeof OPTIONS
type Given = ReturnType<typeof givenIn>

const OF_A_RUN: readonly OptionName[] = [
  'seconds',
  'workload',
  'mode',
  'without',
  'processes',
  'writes',
  'lateness',
]

/** What says the same as nothing at all. */
const WHOLE: Partial<Record<OptionName, string>> = { workload: 'all', lateness: '1' }

/** What each command looks at: another option beside it would say nothing, and is refused. */
const TAKEN: Readonly<Record<Exclude<Command['kind'], 'help'>, readonly OptionName[]>> = {
  hunt: ['mutants', 'mutant', 'write', 'save'],
  'mode hunt': ['modes', 'write'],
  'rate hunt': ['rates', 'write'],
  regions: ['regions', 'seeds', 'write'],
  script: ['script', 'mutant'],
  'one seed': ['seed', 'trace', 'save', ...OF_A_RUN],
  'many seeds': ['seeds', 'from', 'jobs', 'record', 'write', 'save', ...OF_A_RUN],
}

/** @throws CommandError for what cannot be understood, and for what would say nothing */
export function parsed(args: readonly string[]): Command {
  const given = givenIn(args)
  if (given.help === true) return { kind: 'help' }
  if (given.script !== undefined) return scriptOf(given, given.script)
  if (given.modes === true) return modeHuntOf(given)
  if (given.rates === true) return rateHuntOf(given)
  if (given.regions === true) return regionsOf(given)
  if (given.mutants === true || given.mutant !== undefined) return huntOf(given)
  return given.seed === undefined ? manySeedsOf(given) : oneSeedOf(given, given.seed)
}

function givenIn(args: readonly string[]) {
  try {
    const { values, tokens } = parseArgs({ args: withNegatives(args), options: OPTIONS, tokens: true })
    refuseTwice(tokens)
    return values
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code?.startsWith('ERR_PARSE_ARGS') !== true) throw error
    // For a value, the parser says in further lines how to give it. Otherwise it mentions arguments, which this command does not have.
    const isOfValue = code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE'
    const text = isOfValue ? message.replaceAll('\n', ' ') : message.replace(/\. .*/s, '')
    throw new CommandError(`${text.replace(/\.$/, '')}. See --help.`, { cause: error })
  }
}

/** A number below zero would be taken for an option; its rule says more than that. */
function withNegatives(args: readonly string[]): string[] {
  const joined: string[] = []
  for (const arg of args) {
    const before = joined.at(-1) ?? ''
    if (/^-\d/.test(arg) && /^--[a-z]+$/.test(before)) joined[joined.length - 1] = `${before}=${arg}`
    else joined.push(arg)
  }
  return joined
}

/** The last one would count, silently. */
function refuseTwice(tokens: readonly { readonly kind: string; readonly name?: string }[]): void {
  const names = tokens.flatMap(({ kind, name }) => (kind === 'option' && name !== undefined ? [name] : []))
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new CommandError(`--${twice} is given twice; leave one of the two out.`)
}

/** @throws CommandError where the last of so many seeds could not be run again */
export function refuseBeyond(from: number, seeds: number): void {
  const last = from + seeds - 1
  if (last <= MAX_SEED) return
  throw new CommandError(
    `--seeds is '${seeds}', which from ${from} on ends at ${last}; seeds end at ${MAX_SEED}, so ask for fewer.`,
  )
}

function huntOf(given: Given): Hunt {
  const { mutant: name, write, save } = given
  refuseOthers('hunt', given, 'the hunt for planted bugs goes on without it')
  if (name === undefined) {
    if (save === undefined) return { kind: 'hunt', mutants: MUTANTS, write, save }
    throw new CommandError(
      `--save is '${save}', for a script of one seed; name one planted bug with --mutant.`,
    )
  }
  const mutant = mutantNamed(name)
  if (write !== undefined) {
    throw new CommandError(`--write is '${write}', for a table of all planted bugs; leave --mutant out.`)
  }
  return { kind: 'hunt', mutants: [mutant], write, save }
}

function modeHuntOf(given: Given): ModeHunt {
  refuseOthers('mode hunt', given, '--modes hunts the planted bugs of modes alone')
  return { kind: 'mode hunt', write: given.write }
}

function rateHuntOf(given: Given): RateHunt {
  refuseOthers('rate hunt', given, '--rates hunts all planted bugs')
  return { kind: 'rate hunt', write: given.write }
}

function regionsOf(given: Given): RegionsTrial {
  refuseOthers('regions', given, '--regions runs the setups of global tables alone')
  const seeds = wholeNumber(1, MAX_SEEDS)('seeds', given.seeds ?? '30')
  return { kind: 'regions', seeds, write: given.write }
}

function scriptOf(given: Given, file: string): PlayedScript {
  refuseOthers('script', given, '--script runs that file alone')
  return { kind: 'script', file, mutant: given.mutant === undefined ? undefined : mutantNamed(given.mutant) }
}

function mutantNamed(name: string): Mutant {
  const mutant = MUTANTS.find((each) => each.name === name)
  if (mutant !== undefined) return mutant
  const example = MUTANTS[0]?.name
  throw new CommandError(
    `--mutant is '${name}'; it must be the name of a planted bug as docs/simulation.md has it, such as '${example}'.`,
  )
}

function oneSeedOf(given: Given, seed: string): OneSeed {
  refuseOthers('one seed', given, '--seed runs that seed alone')
  const request = { seed: wholeNumber(0, MAX_SEED)('seed', seed), ...howOf(given) }
  return { kind: 'one seed', request, trace: given.trace === true, save: given.save }
}

function manySeedsOf(given: Given): ManySeeds {
  const { seeds = '100', from, jobs, record, write } = given
  if (given.trace === true) throw new CommandError('--trace is of one run; name its seed with --seed.')
  refuseOthers('many seeds', given, 'many seeds are run without it')
  if (write !== undefined && record === undefined) {
    throw new CommandError(
      `--write is '${write}', for what a record holds or what came of planted bugs; add --record or --mutants.`,
    )
  }
  const how = howOf(given)
  const narrowing = OF_A_RUN.find(
    (name) => name !== 'seconds' && (given[name] ?? WHOLE[name]) !== WHOLE[name],
  )
  if (record !== undefined && narrowing !== undefined) {
    throw new CommandError(
      `--record is '${record}', of whole runs, and --${narrowing} makes them others; leave one of the two out.`,
    )
  }
  const count = wholeNumber(1, MAX_SEEDS)('seeds', seeds)
  const first = from === undefined ? undefined : wholeNumber(0, MAX_SEED)('from', from)
  if (first !== undefined) refuseBeyond(first, count)
  return {
    kind: 'many seeds',
    seeds: count,
    from: first,
    jobs: jobs === undefined ? undefined : wholeNumber(1, MAX_JOBS)('jobs', jobs),
    how,
    record,
    write,
    save: given.save,
  }
}

function howOf({ seconds = '120', workload = 'all', ...given }: Given): Omit<Request, 'seed'> {
  const workloads = workload === 'all' ? WORKLOADS : listOf(WORKLOADS)('workload', workload)
  const adjustments = adjustmentsOf(given)
  const { mode } = adjustments
  if (mode !== undefined && mode !== 'none' && workloadsOf(mode, workloads).length === 0) {
    throw new CommandError(
      `--mode is '${mode}', which shows nothing in ${workload}; choose a workload of ${MODES[mode].workloads.join(', ')}, or leave --workload out.`,
    )
  }
  return { seconds: wholeNumber(1, MAX_SECONDS)('seconds', seconds), workloads, adjustments }
}

function adjustmentsOf({ without, processes, writes, lateness, mode }: Given): Adjustments {
  return {
    without:
      without === undefined ? NO_ADJUSTMENTS.without : listOf(Object.keys(SWITCHES))('without', without),
    processes: processes === undefined ? undefined : wholeNumber(1, MAX_PROCESSES)('processes', processes),
    writesPerSecond: writes === undefined ? undefined : wholeNumber(1, MAX_WRITES)('writes', writes),
    lateness:
      lateness === undefined ? NO_ADJUSTMENTS.lateness : decimalNumber(0, MAX_LATENESS)('lateness', lateness),
    mode: mode === undefined ? undefined : oneOf([...MODE_NAMES, 'none'])('mode', mode),
  }
}

function refuseOthers(kind: keyof typeof TAKEN, given: Given, reason: string): void {
  const names = Object.keys(given) as OptionName[]
  const other = names.find((name) => given[name] !== undefined && !TAKEN[kind].includes(name))
  if (other === undefined) return
  const text = given[other] === true ? `--${other} is given` : `--${other} is '${given[other]}'`
  throw new CommandError(`${text}, and ${reason}; leave one of the two out.`)
}
