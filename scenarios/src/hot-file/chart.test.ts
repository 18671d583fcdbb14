import { describe, expect, it } from 'vitest'
import { drawHotFileChart } from './chart.js'
import type { HotFileReport, StrategyReport } from './report.js'
import { DEFAULT_SHARDING } from './sharding-parameters.js'
import type { StrategyName } from './strategy.js'
import { DEFAULT_WORKLOAD } from './workload-parameters.js'

const SECONDS = 4

function runOf(strategy: StrategyName, title: string, changes: Partial<StrategyReport> = {}): StrategyReport {
  return {
    strategy,
    title,
    table: strategy,
    offered: 700,
    accepted: 600,
    throttledAttempts: 100,
    givenUp: 100,
    shed: 0,
    failed: 0,
    acceptedPerSecond: 150,
    throttledPerSecond: 25,
    throttledShareAfterRamp: 0.1429,
    viralFileAcceptedPerSecond: 120,
    shardsFinal: 1,
    shardChanges: [{ atSeconds: 0, shards: 1 }],
    readBack: {
      items: 500,
      missing: 0,
      duplicates: 0,
      outOfOrder: 0,
      unacknowledged: 0,
      pageReadUnits: 3,
      trailReadUnits: 12,
    },
    series: {
      offered: [100, 150, 200, 250],
      accepted: [100, 150, 200, 150],
      throttled: [0, 0, 0, 100],
      shards: Array.from({ length: SECONDS }, () => 1),
    },
    latestMilliseconds: 0,
    firstFailure: undefined,
    ...changes,
  }
}

const report: HotFileReport = {
  viralPath: '/favicon.ico',
  seed: 1,
  workload: { ...DEFAULT_WORKLOAD, calmSeconds: 1, rampSeconds: 1, holdSeconds: 2 },
  sharding: DEFAULT_SHARDING,
  offeredPerSecond: 225,
  runs: [
    runOf('one-key', 'one key per file'),
    runOf('dynamic', 'dynamic, from 1', {
      shardsFinal: 3,
      shardChanges: [
        { atSeconds: 0, shards: 1 },
        { atSeconds: 2.5, shards: 3 },
      ],
    }),
  ],
}

/** Every tag is closed in turn, and no text or attribute ends one early. */
function isWellFormed(svg: string): boolean {
  const open: string[] = []
  const rest = svg.replace(
    /<(\/?)([a-z]+)((?: [\w:-]+="[^"<]*")*)(\/?)>/gi,
    (_, closes, name, _attributes, isEmpty) => {
      if (closes) return open.pop() === name ? '' : '<'
      if (!isEmpty) open.push(name)
      return ''
    },
  )
  return open.length === 0 && !rest.includes('<') && !/&(?!(?:amp|lt|gt|quot);)/.test(rest)
}

function pathsOf(svg: string, kind: string): string[] {
  return [...svg.matchAll(new RegExp(`class="line ${kind}" d="([^"]+)"`, 'g'))].map(([, path = '']) => path)
}

describe('the chart of a run', () => {
  const svg = drawHotFileChart(report)

  it('is a well-formed picture with a title and a description', () => {
    expect(isWellFormed(svg)).toBe(true)
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="[\d. ]+"/)
    expect(svg).toContain('role="img" aria-labelledby="title description"')
    expect(svg).toContain('<title id="title">One file goes viral: /favicon.ico</title>')
    expect(svg).toContain(
      'dynamic, from 1: 150 accepted/s, 14.3 % throttled after the ramp; 3 shards at the end.',
    )
  })

  it('has a panel for each strategy, and in each a line for every series, as long as the run', () => {
    for (const kind of ['offered', 'accepted', 'throttled']) {
      // The first is the one in the key.
      const [key, ...lines] = pathsOf(svg, kind)
      expect(key).toMatch(/h22$/)
      expect(lines).toHaveLength(report.runs.length)
      for (const line of lines) expect(line.split(/[ML]/).slice(1)).toHaveLength(SECONDS)
    }
    expect(pathsOf(svg, 'shards')).toHaveLength(1 + report.runs.length)
  })

  it('draws equal series at equal heights in every panel', () => {
    const heights = pathsOf(svg, 'accepted')
      .slice(1)
      .map((path) => [...path.matchAll(/,(-?[\d.]+)/g)].map(([, y]) => y))
    expect(heights[0]).toEqual(heights[1])
  })

  it('survives a path that holds mark-up, control characters and no end', () => {
    const viralPath = `/a?b=<script>&"'\u0001\uD800${'x'.repeat(500)}`
    const drawn = drawHotFileChart({ ...report, viralPath })
    expect(isWellFormed(drawn)).toBe(true)
    expect(drawn).not.toContain('<script>')
    expect(drawn).not.toContain('\u0001')
  })

  it('is drawn for a run without a single write', () => {
    const none = Array.from({ length: SECONDS }, () => 0)
    const series = { offered: none, accepted: none, throttled: none, shards: none }
    const drawn = drawHotFileChart({ ...report, runs: [runOf('fixed', 'fixed', { series })] })
    expect(isWellFormed(drawn)).toBe(true)
    expect(drawn).not.toMatch(/NaN|Infinity|undefined/)
  })

  it('names no limit of writes where an item takes more than one unit', () => {
    const workload = { ...report.workload, itemBytes: 2_048 }
    expect(svg).toContain('1 partition')
    expect(drawHotFileChart({ ...report, workload })).not.toContain('1 partition')
  })
})
