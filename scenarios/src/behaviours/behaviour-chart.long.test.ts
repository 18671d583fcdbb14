import { describe, expect, it } from 'vitest'
import { drawBehaviourChart } from './behaviour-chart.js'
import { runBehaviours } from './behaviour-runs.js'

const average = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length

describe('the charts of behaviours', () => {
  it('show what they say', async () => {
    const runs = new Map((await runBehaviours()).map((run) => [run.name, run]))
    const last = (name: string, seconds: number) => average(runs.get(name)?.accepted.slice(-seconds) ?? [])
    expect(Math.abs(last('hot-key', 50) - 1000)).toBeLessThan(10)
    expect(last('new-on-demand-table', 60)).toBeGreaterThan(3800)
    expect(last('new-on-demand-table', 60)).toBeLessThan(4100)
    expect(last('burst', 60)).toBeLessThan(102)
    expect(average(runs.get('burst')?.accepted.slice(300, 400) ?? [])).toBeGreaterThan(399)
    expect(average(runs.get('ten-keys')?.accepted.slice(100, 290) ?? [])).toBeLessThan(4100)
    expect(last('ten-keys', 60)).toBeGreaterThan(5900)
    expect(Math.abs(last('two-value-index', 15) - 1000)).toBeLessThan(30)
    expect(last('sparse-index', 15)).toBe(2500)
    for (const run of runs.values()) {
      const svg = drawBehaviourChart(run)
      expect(svg).toMatch(/^<svg [\s\S]*<\/svg>\n$/)
      expect(svg).not.toMatch(/NaN|undefined|Infinity/)
    }
  })
})
