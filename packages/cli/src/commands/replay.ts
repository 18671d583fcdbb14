import { readFileSync } from 'node:fs'
import {
  type CapacityParameters,
  parseTableDesigns,
  type ReplayDesign,
  replayTrace,
  type TableDesign,
} from '@isotherm/local'
import { Command } from 'commander'
import { CommandError, EXIT_FAILED } from '../command-error.js'
import { number, oneOf, wholeNumber } from '../flags.js'
import { replayText } from '../presentation/replay-table.js'
import { type Terminal, writeLine } from '../terminal.js'

interface ReplayFlags {
  readonly design?: string
  readonly billingMode?: BillingMode
  readonly read?: number
  readonly write?: number
  readonly capacity?: CapacityParameters['model']
  readonly rate: number
  readonly seed: number
  readonly json?: boolean
}

type BillingMode = NonNullable<ReplayDesign['billingMode']>

const BILLING_MODES: readonly BillingMode[] = ['PROVISIONED', 'PAY_PER_REQUEST']
const MODELS: readonly CapacityParameters['model'][] = ['adaptive', 'classic']
const MAX_UNITS = 1_000_000
const MAX_SEED = 2 ** 31 - 1

/** `isotherm replay`: replays recorded requests on virtual time. */
export function replayCommand(terminal: Terminal): Command {
  return new Command('replay')
    .argument('<file>', 'a trace that isotherm local --trace has recorded; it holds the data of its clients')
    .option('--design <file>', 'JSON: what shall be different in which table')
    .option(
      '--billing-mode <mode>',
      'PROVISIONED or PAY_PER_REQUEST, for all tables',
      oneOf('--billing-mode', BILLING_MODES),
    )
    .option(
      '--read <units>',
      'provisioned read units a second, for all tables and their global indexes',
      wholeNumber('--read', 1, MAX_UNITS),
    )
    .option('--write <units>', 'the same for writes', wholeNumber('--write', 1, MAX_UNITS))
    .option(
      '--capacity <model>',
      'adaptive or classic, as for isotherm local; as recorded without it',
      oneOf('--capacity', MODELS),
    )
    .option(
      '--rate <factor>',
      'how dense the requests come: at 2, twice as many in the same time',
      number('--rate', 0.001, 1_000),
      1,
    )
    .option('--seed <number>', 'for everything that is left to chance', wholeNumber('--seed', 0, MAX_SEED), 1)
    .option('--json', 'print one line of JSON instead of the table')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  isotherm replay today.jsonl                          as it was\n' +
        '  isotherm replay today.jsonl --rate 2                 twice the traffic\n' +
        '  isotherm replay today.jsonl --read 500 --write 200   on tables provisioned so\n' +
        '  isotherm replay today.jsonl --design sharded.json    on another design\n',
    )
    .action((file: string, flags: ReplayFlags) => replay(file, flags, terminal))
}

async function replay(path: string, flags: ReplayFlags, { out }: Terminal): Promise<void> {
  const { capacity: model, rate, seed, json } = flags
  const design = designOf(flags)
  const report = await replayTrace({ path, design, rate, seed, ...(model === undefined ? {} : { model }) })
  writeLine(out, json ? JSON.stringify(report) : replayText(report))
}

function designOf({ billingMode, read, write, design }: ReplayFlags): ReplayDesign {
  if ((read === undefined) !== (write === undefined)) {
    throw new CommandError(
      `--${read === undefined ? 'write' : 'read'} needs --${read === undefined ? 'read' : 'write'}, too.`,
    )
  }
  if (read !== undefined && billingMode === 'PAY_PER_REQUEST') {
    throw new CommandError(
      '--read and --write are for provisioned tables; leave out --billing-mode PAY_PER_REQUEST.',
    )
  }
  return {
    ...(billingMode === undefined ? {} : { billingMode }),
    ...(read === undefined || write === undefined
      ? {}
      : { throughput: { readUnits: read, writeUnits: write } }),
    ...(design === undefined ? {} : { tables: readDesign(design) }),
  }
}

function readDesign(file: string): { readonly [table: string]: TableDesign } {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new CommandError(`The design ${file} cannot be read (${code}).`, EXIT_FAILED, { cause })
  }
  let design: unknown
  try {
    design = JSON.parse(text)
  } catch (cause) {
    throw new CommandError(`The design ${file} is not JSON.`, EXIT_FAILED, { cause })
  }
  return parseTableDesigns(design)
}
