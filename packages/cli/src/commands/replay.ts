import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { AdvisorError, AWS_PRICES, type PriceList, parsePriceList } from '@isotherm/advisor'
import {
  type CapacityParameters,
  parseTableDesigns,
  type ReplayDesign,
  type ReplayReport,
  replayTrace,
  type TableDesign,
} from '@isotherm/local'
import { Command } from 'commander'
import { CommandError, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK } from '../command-error.js'
import { httpUrl, number, oneOf, region, wholeNumber } from '../flags.js'
import { interruption } from '../interruption.js'
import { OptionRules } from '../option-rules.js'
import { comparedText, type NamedReplay, placeOf } from '../presentation/compared-replays.js'
import { grouped } from '../presentation/figures.js'
import { progressLine } from '../presentation/progress-line.js'
import { replayText } from '../presentation/replay-table.js'
import { readText } from '../read-text.js'
import { monthPrice } from '../replay/month-price.js'
import { type Terminal, writeLine } from '../terminal.js'
import { writeText } from '../write-text.js'

interface ReplayFlags {
  readonly design?: string
  readonly compare?: readonly string[]
  readonly billingMode?: BillingMode
  readonly read?: number
  readonly write?: number
  readonly capacity?: CapacityParameters['model']
  readonly rate: number
  readonly seed: number
  readonly endpoint?: URL
  readonly region?: string
  readonly profile?: string
  readonly prices?: string
  readonly priceRegion?: string
  readonly chart?: string
  readonly json?: boolean
}

type BillingMode = NonNullable<ReplayDesign['billingMode']>

const BILLING_MODES: readonly BillingMode[] = ['PROVISIONED', 'PAY_PER_REQUEST']
const MODELS: readonly CapacityParameters['model'][] = ['adaptive', 'classic']
const MAX_UNITS = 1_000_000
const MAX_SEED = 2 ** 31 - 1

/** `isotherm replay`: replays recorded requests on virtual time, or against an endpoint. */
export function replayCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const command = new Command('replay')
    .argument('<file>', 'a trace that isotherm local --trace has recorded; it holds the data of its clients')
    .option('--design <file>', 'JSON: what shall be different in which table')
    .option('--compare <files...>', 'designs to replay one after the other, and to print side by side')
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
      'adaptive or classic, as for isotherm local; as recorded by default',
      oneOf('--capacity', MODELS),
    )
    .option(
      '--rate <factor>',
      'how many times as fast as recorded the requests are sent; 2 sends twice as many in the same time',
      number('--rate', 0.001, 1_000),
      1,
    )
    .option('--seed <number>', 'for everything that is left to chance', wholeNumber('--seed', 0, MAX_SEED), 1)
    .option(
      '--endpoint <url>',
      'send the requests there, in real time, instead of rehearsing them',
      httpUrl('--endpoint'),
    )
    .option('--region <name>', 'of the endpoint', region('--region'))
    .option('--profile <name>', 'of the AWS configuration, for the endpoint')
    .option('--prices <file>', 'another price list, as JSON')
    .option('--price-region <name>', 'the region of the prices', region('--price-region'))
    .option('--chart <file>', 'write a chart of the requests over time, as SVG')
    .option('--json', 'print one line of JSON instead of the table')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  isotherm replay today.jsonl                          as it was\n' +
        '  isotherm replay today.jsonl --rate 2                 twice the traffic\n' +
        '  isotherm replay today.jsonl --read 500 --write 200   on tables provisioned so\n' +
        '  isotherm replay today.jsonl --design sharded.json    on another design\n' +
        '  isotherm replay today.jsonl --compare a.json b.json  designs side by side, with their prices\n' +
        '  isotherm replay today.jsonl --endpoint http://127.0.0.1:8000 --rate 5\n',
    )
    .action(async (file: string, flags: ReplayFlags) => {
      try {
        exit(await replay(file, flags, terminal))
      } catch (error) {
        throw error instanceof AdvisorError
          ? new CommandError(error.message, undefined, { cause: error })
          : error
      }
    })
  new OptionRules(command)
    .needs(['--region', '--profile'], ['--endpoint'])
    .excludes(['--seed', '--prices', '--price-region'], ['--endpoint'])
  return command
}

async function replay(path: string, flags: ReplayFlags, terminal: Terminal): Promise<number> {
  if (flags.endpoint !== undefined) return toEndpoint(path, flags, flags.endpoint, terminal)
  if (flags.compare !== undefined) return compared(path, flags, flags.compare, terminal)
  const report = await replayed(path, flags, designOf(flags), terminal)
  const prices = pricesOf(report, flags)
  const { out } = terminal
  if (flags.chart !== undefined) await chart(flags.chart, [{ name: 'replayed', report, prices }], true)
  writeLine(
    out,
    flags.json ? JSON.stringify({ ...withoutSeries(report), prices }) : replayText(report, prices),
  )
  return EXIT_OK
}

/** The recorded design first, and each of the others. */
async function compared(
  path: string,
  flags: ReplayFlags,
  files: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const { out, err } = terminal
  if (flags.design !== undefined)
    throw new CommandError(
      '--design and --compare cannot be used together; name all designs behind --compare.',
    )
  const designs = files.map((file) => ({ name: basename(file, '.json'), tables: readDesign(file) }))
  const replays: NamedReplay[] = []
  for (const { name, tables } of [{ name: 'as recorded', tables: {} }, ...designs]) {
    writeLine(err, `isotherm: replaying ${name}`)
    const report = await replayed(path, flags, { ...designOf(flags), tables }, terminal)
    replays.push({ name, report, prices: pricesOf(report, flags) })
  }
  if (flags.chart !== undefined) await chart(flags.chart, replays, false)
  const runs = replays.map(({ report, ...run }) => ({ ...run, report: withoutSeries(report) }))
  writeLine(out, flags.json ? JSON.stringify({ runs }) : comparedText(replays))
  return EXIT_OK
}

function replayed(
  path: string,
  { capacity: model, rate, seed }: ReplayFlags,
  design: ReplayDesign,
  terminal: Terminal,
): Promise<ReplayReport> {
  const line = progressLine(terminal)
  // Without a listener, Ctrl-C ends the process while the line hides the cursor.
  const signal = interruption()
  return replayTrace({
    path,
    design,
    rate,
    seed,
    series: true,
    ...(model === undefined ? {} : { model }),
    onProgress: ({ requests, seconds }) => {
      signal.throwIfAborted()
      line.show(`${grouped(requests)} requests, ${grouped(seconds)} s of the trace`)
    },
  }).finally(line.end)
}

async function toEndpoint(
  path: string,
  flags: ReplayFlags,
  endpoint: URL,
  terminal: Terminal,
): Promise<number> {
  for (const flag of ['design', 'compare', 'billingMode', 'read', 'write', 'capacity'] as const) {
    if (flags[flag] === undefined) continue
    const name = flag === 'billingMode' ? 'billing-mode' : flag
    throw new CommandError(`--${name} cannot be used with --endpoint, whose tables are as they are.`)
  }
  // Loaded on demand: a rehearsal needs neither a client nor real time.
  const { runLiveReplay } = await import('../replay/run-live-replay.js')
  const report = await runLiveReplay(path, { ...flags, endpoint }, terminal)
  if (flags.chart !== undefined) {
    const { replayChart } = await import('../presentation/replay-chart.js')
    const series = { stepSeconds: 1, ...report.perSecond }
    writeText(
      flags.chart,
      replayChart(`Requests sent to ${endpoint.host}`, [{ name: endpoint.host, series }]),
    )
  }
  const { liveReplayText } = await import('../presentation/live-replay-text.js')
  writeLine(terminal.out, flags.json ? JSON.stringify(report) : liveReplayText(report))
  return report.endedEarly ? EXIT_INTERRUPTED : EXIT_OK
}

async function chart(file: string, replays: readonly NamedReplay[], withRecorded: boolean): Promise<void> {
  const { replayChart } = await import('../presentation/replay-chart.js')
  const runs = replays.flatMap(({ name, report: { series } }) =>
    series === undefined ? [] : [{ name, series: series.replayed }],
  )
  const recorded = replays[0]?.report.series?.recorded
  writeText(
    file,
    replayChart('Replayed requests', [
      ...(withRecorded && recorded !== undefined ? [{ name: 'recorded', series: recorded }] : []),
      ...runs,
    ]),
  )
}

function withoutSeries({ series: _, ...report }: ReplayReport): ReplayReport {
  return report
}

/** US dollars of a month for each table, as `region/table`. */
function pricesOf(
  { tables, seconds }: ReplayReport,
  { prices: file, priceRegion }: ReplayFlags,
): NamedReplay['prices'] {
  const list: PriceList = file === undefined ? AWS_PRICES : parsePriceList(readText(file))
  const [first = ''] = Object.keys(list.regions)
  const entries = tables.flatMap((table): [string, number][] => {
    // A local engine answers for any region; the list has few.
    const own = priceRegion ?? (Object.hasOwn(list.regions, table.region) ? table.region : first)
    const price = monthPrice(table, seconds, list, own)
    return price === undefined ? [] : [[placeOf(table), Math.round(price * 100) / 100]]
  })
  return Object.fromEntries(entries)
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
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
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
