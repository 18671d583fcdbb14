import { availableParallelism } from 'node:os'
import type { SoakResult } from './soak.js'
import type { LoadName, PeriodFigures } from './soak-measures.js'

/** One condition of the soak. */
export interface Verdict {
  readonly condition: string
  readonly measured: string
  readonly isMet: boolean
}

/** The soak itself takes less. With more, latency shows the other work on the machine. */
const MOST_LOAD_OF_A_PROCESSOR = 2
/** Until then the heap and its code are still warming up. */
const LEAST_UNDISTURBED_MILLISECONDS = 300_000
/** Of memory and of the median latency, from the first third of the time without kills to the last. */
const MOST_GROWTH = 1.25
/** Less growth than this is the collector's choice of a moment. */
const MEMORY_MARGIN_MEGABYTES = 30
/** Polling takes a share that does not depend on the writes. */
const PROCESSOR_MARGIN_MICROSECONDS = 300
/** Less than a turn of a busy machine. */
const LATENCY_MARGIN_MILLISECONDS = 10

export function verdicts(
  { plan, periods, appends, windows, documents, left }: SoakResult,
  processors: number = availableParallelism(),
): readonly Verdict[] {
  const { acknowledged } = appends
  const isBusy = mean(periods.map(({ machineLoad }) => machineLoad)) > MOST_LOAD_OF_A_PROCESSOR * processors
  const isLong = plan.duration - plan.killsUntil >= LEAST_UNDISTURBED_MILLISECONDS
  const undisturbed = isLong ? periods.slice(Math.ceil(plan.killsUntil / plan.period)) : []
  return [
    {
      condition: 'every acknowledged append is in the stream',
      measured: `${whole(acknowledged - appends.notInStream)} of ${whole(acknowledged)}`,
      isMet: acknowledged > 0 && appends.notInStream === 0,
    },
    {
      condition: 'every append expires, and then the table is empty',
      measured: `${whole(acknowledged - appends.notExpired)} of ${whole(acknowledged)}, ${whole(left)} left`,
      isMet: appends.notExpired + left === 0,
    },
    {
      condition: 'consistent queries of the newest appends find each once, in order',
      measured: `${whole(windows.found)} in ${whole(windows.queries)} queries; ${windows.missing} missing, ${windows.twice} twice, ${windows.unordered} queries out of order`,
      isMet: windows.found > 0 && windows.missing + windows.twice + windows.unordered === 0,
    },
    {
      condition: 'a document has the version that was acknowledged last',
      measured: `${whole(documents.reads)} reads of ${whole(documents.documents)} documents with ${whole(documents.writes)} versions; ${documents.wrong} wrong`,
      isMet: documents.reads > 0 && documents.wrong === 0,
    },
    flat('memory of `isotherm local`, MB', undisturbed, (each) => each.engineMemory, MEMORY_MARGIN_MEGABYTES),
    flat('memory of `isotherm proxy`, MB', undisturbed, (each) => each.proxyMemory, MEMORY_MARGIN_MEGABYTES),
    flat(
      'processor time of a write in both processes, µs',
      undisturbed,
      (each) => each.microsecondsPerWrite,
      PROCESSOR_MARGIN_MICROSECONDS,
    ),
    ...LATENCIES.map(([name, load]) =>
      flat(
        `median of ${name}, ms`,
        isBusy ? [] : undisturbed,
        (each) => each.latency[load].median,
        LATENCY_MARGIN_MILLISECONDS,
      ),
    ),
  ]
}

const NOT_COMPARED = 'not compared'

const LATENCIES: readonly (readonly [name: string, load: LoadName])[] = [
  ['an append', 'library'],
  ['an append through the proxy', 'proxy'],
  ['a document', 'documents'],
]

function flat(
  name: string,
  periods: readonly PeriodFigures[],
  figureOf: (period: PeriodFigures) => number | undefined,
  margin: number,
): Verdict {
  const figures = periods.flatMap((period) => figureOf(period) ?? [])
  const third = Math.max(1, Math.floor(figures.length / 3))
  const [first, last] = [mean(figures.slice(0, third)), mean(figures.slice(-third))]
  return {
    condition: `${name}: no growth`,
    measured:
      figures.length < 2 ? NOT_COMPARED : `${first.toFixed(1)} at first, ${last.toFixed(1)} at the end`,
    isMet: figures.length < 2 || last <= Math.max(first * MOST_GROWTH, first + margin),
  }
}

const mean = (figures: readonly number[]) => figures.reduce((sum, each) => sum + each, 0) / figures.length

/** The report, as a page shows it. */
export function soakReport(result: SoakResult): string {
  const { plan, periods } = result
  const minutesOf = (index: number) => Math.round((index * plan.period) / 6_000) / 10
  const rows = periods.map((period, index) =>
    row([
      `${minutesOf(index)} to ${minutesOf(index + 1)}`,
      whole(period.writes),
      String(period.kills),
      whole(period.repeats),
      `${period.grown}, ${period.fallen}`,
      ...LATENCIES.map(([, load]) => `${spreadOf(period, load)}`),
      megabytes(period.engineMemory),
      megabytes(period.proxyMemory),
      whole(period.dataMegabytes),
      period.microsecondsPerWrite === undefined ? '' : whole(period.microsecondsPerWrite),
      period.machineLoad.toFixed(1),
    ]),
  )
  const head = [
    ...['minutes', 'writes', 'kills', 'repeated by the writer', 'counts that grew, fell'],
    ...[
      'append, ms',
      'through the proxy, ms',
      'document, ms',
      'local, MB',
      'proxy, MB',
      'data, MB',
      'processor time of a write, µs',
      'load of the machine',
    ],
  ]
  return [
    row(head),
    `|---|${'---:|'.repeat(head.length - 1)}`,
    ...rows,
    '',
    row(['condition', 'measured', 'met']),
    '|---|---|---|',
    ...verdicts(result).map(({ condition, measured, isMet }) =>
      row([condition, measured, measured === NOT_COMPARED ? '' : isMet ? 'yes' : '**no**']),
    ),
  ].join('\n')
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

const spreadOf = ({ latency }: PeriodFigures, load: LoadName) =>
  `${latency[load].median.toFixed(1)}, ${latency[load].tail.toFixed(0)}`

const megabytes = (amount: number | undefined) => (amount === undefined ? 'unknown' : whole(amount))

const whole = (amount: number) => Math.round(amount).toLocaleString('en')
