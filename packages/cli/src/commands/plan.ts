import { AdvisorError, DEFAULT_PLAN_INPUT, type Plan, type PlanInput, planTable } from '@isotherm/advisor'
import type { Rehearsal } from '@isotherm/advisor/rehearsal'
import type { Command } from 'commander'
import { CommandError, EXIT_OK } from '../command-error.js'
import { interruption } from '../interruption.js'
import { type PlanFlags, planFlags } from '../plan/plan-flags.js'
import { fromFlags, pricesOf } from '../plan/plan-input-of.js'
import { knownFrom } from '../plan/plan-sources.js'
import { planText } from '../presentation/plan-text.js'
import { progressLine } from '../presentation/progress-line.js'
import { type Terminal, writeLine } from '../terminal.js'

/** `isotherm plan`: sizes a table, its shards and its price. */
export function planCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return planFlags()
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  isotherm plan --writes 3000 --hot-writes 2600 --reads 50 --hot-reads 40\n' +
        '  isotherm plan --writes 3000 --hot-writes 2600 --item-bytes 400 --verify\n' +
        '  isotherm plan --from access-log.tsv --columns time=epoch_seconds,key=path --rate 2000\n' +
        '  isotherm plan --from today.jsonl --rate 3\n' +
        '  isotherm plan --table orders --hours 48\n',
    )
    .action(async (flags: PlanFlags) => {
      try {
        exit(await plan(flags, terminal))
      } catch (error) {
        throw error instanceof AdvisorError
          ? new CommandError(error.message, undefined, { cause: error })
          : error
      }
    })
}

async function plan(flags: PlanFlags, terminal: Terminal): Promise<number> {
  const known = await knownFrom(flags, terminal)
  const input: PlanInput = { ...DEFAULT_PLAN_INPUT, ...known.input, ...fromFlags(flags, known.input) }
  const made = planTable(input, pricesOf(flags))
  const rehearsal = flags.verify === true ? await rehearsed(made, terminal) : undefined
  const notes = [
    ...known.notes,
    ...(input.itemBytes === DEFAULT_PLAN_INPUT.itemBytes &&
    flags.itemBytes === undefined &&
    known.input.itemBytes === undefined
      ? ['Items of 1,024 bytes are assumed; give --item-bytes.']
      : []),
  ]
  const { out } = terminal
  writeLine(
    out,
    flags.json
      ? JSON.stringify({ ...made, notes, ...(rehearsal === undefined ? {} : { rehearsal }) })
      : planText(made, notes, rehearsal),
  )
  return EXIT_OK
}

async function rehearsed(made: Plan, terminal: Terminal): Promise<Rehearsal> {
  const { err, display } = terminal
  // Loaded on demand: it brings the engine and the AWS SDK.
  const { rehearsePlan } = await import('@isotherm/advisor/rehearsal')
  const progress = progressLine(terminal)
  if (display === undefined) writeLine(err, 'isotherm: rehearsing the plan on the local engine')
  try {
    return await rehearsePlan(made, {
      signal: interruption(),
      onProgress: (done, of) => progress.show(`rehearsing on the local engine: ${done} of ${of}`, done / of),
    })
  } finally {
    progress.end()
  }
}
