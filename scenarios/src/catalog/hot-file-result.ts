import type { SecondsSeries } from '../hot-file/measurements.js'
import type { HotFileProgress } from '../hot-file/progress.js'
import type { HotFileReport, StrategyReport } from '../hot-file/report.js'
import { isSound } from '../hot-file/trail-check.js'
import type { ScenarioProgress, ScenarioResult, ScenarioSeries } from './scenario.js'

type Figure = readonly [name: string, value: (run: StrategyReport) => number]

const FIGURES: readonly Figure[] = [
  ['accepted writes a second, after the ramp', (run) => run.acceptedPerSecond],
  ['of the viral file', (run) => run.viralFileAcceptedPerSecond],
  ['throttled attempts a second, after the ramp', (run) => run.throttledPerSecond],
  ['writes that were offered', (run) => run.offered],
  ['writes that were accepted', (run) => run.accepted],
  ['writes that were refused for good', (run) => run.givenUp + run.shed],
  ["the file's shards at the end", (run) => run.shardsFinal],
  ['read units of a page of 100', (run) => run.readBack.pageReadUnits],
  ['acknowledged writes that are missing', (run) => run.readBack.missing],
]

/** The report of a run in the form that all scenarios have. */
export function hotFileResult(report: HotFileReport): ScenarioResult {
  const { viralPath, offeredPerSecond, runs } = report
  return {
    title: `Hot file ${viralPath}: ${offeredPerSecond} writes a second offered after the ramp`,
    isGood: runs.every(({ readBack, failed }) => isSound(readBack) && failed === 0),
    sides: runs.map(({ title, series }) => ({ name: title, seconds: 1, series: linesOf(series) })),
    rows: FIGURES.map(([name, value]) => ({ name, values: runs.map(value) })),
  }
}

/** How far a run is, in the form that all scenarios have. */
export function hotFileProgress(progress: HotFileProgress): ScenarioProgress {
  const { phase, elapsedSeconds, totalSeconds, strategies } = progress
  return {
    text: `${PHASES[phase]}, second ${Math.round(elapsedSeconds)} of ${totalSeconds}`,
    share: elapsedSeconds / totalSeconds,
    sides: strategies.map(({ title, offeredBySecond, acceptedBySecond }) => ({
      name: title,
      seconds: 1,
      series: [
        { name: 'writes offered', kind: 'offered', values: offeredBySecond },
        { name: 'writes accepted', kind: 'accepted', values: acceptedBySecond },
      ],
    })),
  }
}

const PHASES = {
  calm: 'Usual traffic',
  ramp: 'The file goes viral',
  hold: 'At its height',
  'read-back': 'Reading the trail back',
} as const

function linesOf({ offered, accepted, throttled, shards }: SecondsSeries): readonly ScenarioSeries[] {
  return [
    { name: 'writes offered', kind: 'offered', values: offered },
    { name: 'writes accepted', kind: 'accepted', values: accepted },
    { name: 'attempts throttled', kind: 'throttled', values: throttled },
    { name: 'shards', kind: 'shards', values: shards },
  ]
}
