import type { HotFilePhase, HotFileProgress, StrategyProgress } from '@isotherm/scenarios'
import pc from 'picocolors'
import { printable } from '../terminal.js'
import { grouped } from './figures.js'
import { sparkline } from './sparkline.js'

const PHASES: { readonly [phase in HotFilePhase]: string } = {
  calm: 'calm: the log alone',
  ramp: 'the file is going viral',
  hold: 'at its height',
  'read-back': 'reading the trail back',
}

const BAR_WIDTH = 40
const SPARK_WIDTH = 24
/** A narrower terminal gets no sparklines. */
const WIDTH_WITH_SPARKS = 94
const TITLE_WIDTH = 22
const FIGURE_WIDTH = 12

/** The live display: a bar, and a row for each strategy. */
export function progressScreen(progress: HotFileProgress, columns: number): string {
  const { phase, elapsedSeconds, totalSeconds, strategies } = progress
  const done = Math.round((BAR_WIDTH * elapsedSeconds) / totalSeconds)
  const bar = pc.cyan('█'.repeat(done)) + pc.dim('░'.repeat(BAR_WIDTH - done))
  const time = `${Math.floor(elapsedSeconds)} of ${totalSeconds} s`
  const heading = ['offered/s', 'accepted/s', 'throttled/s', 'shards'].map(figure).join('')
  return [
    '',
    `  ${bar}  ${time}  ${pc.dim(PHASES[phase])}`,
    `  ${pc.bold(cut(printable(progress.viralPath), columns - 4))}`,
    '',
    pc.dim(`  ${''.padEnd(TITLE_WIDTH)}${heading}`),
    ...strategies.map((strategy) => row(strategy, columns)),
    '',
  ].join('\n')
}

/** The same in one line, for logs. */
export function progressLine({ phase, elapsedSeconds, totalSeconds, strategies }: HotFileProgress): string {
  const offered = grouped(strategies[0]?.offeredPerSecond ?? 0)
  const figures = strategies.map(({ title, acceptedPerSecond, throttledPerSecond, shards }) => {
    return `${title} ${grouped(acceptedPerSecond)} accepted, ${grouped(throttledPerSecond)} throttled, ${shards} sh.`
  })
  if (phase === 'read-back') return 'all written; reading the trail back'
  return `${Math.floor(elapsedSeconds)} of ${totalSeconds} s, ${offered} writes/s offered | ${figures.join(' | ')}`
}

function row(strategy: StrategyProgress, columns: number): string {
  const { title, offeredPerSecond, acceptedPerSecond, throttledPerSecond, shards } = strategy
  const throttled = figure(grouped(throttledPerSecond))
  const max = Math.max(...strategy.offeredBySecond)
  const sparks =
    columns < WIDTH_WITH_SPARKS ? '' : `  ${sparkline(strategy.acceptedBySecond, SPARK_WIDTH, max)}`
  return [
    `  ${title.padEnd(TITLE_WIDTH)}`,
    figure(grouped(offeredPerSecond)),
    pc.blue(figure(grouped(acceptedPerSecond))),
    throttledPerSecond > 0 ? pc.red(throttled) : throttled,
    figure(String(shards)),
    pc.blue(sparks),
  ].join('')
}

function figure(text: string): string {
  return text.padStart(FIGURE_WIDTH)
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`
}
