import type { PatternReport, PatternSettings } from '../patterns/pattern-report.js'
import { WorldWatch } from '../patterns/world-watch.js'
import { checkedValues } from './checked-values.js'
import { SCALE, SEED } from './common-parameters.js'
import type { Scenario, ScenarioSide } from './scenario.js'

/** What a scenario that compares two ways consists of. */
export interface ComparedWays {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The names of the two ways, which a report has as well. */
  readonly sides: readonly [string, string]
  readonly run: (settings: PatternSettings) => Promise<PatternReport>
}

/** A scenario of a table pattern: by hand, and with the pattern. */
export function patternScenario({ name, title, description, sides: names, run }: ComparedWays): Scenario {
  const parameters = [SEED, SCALE]
  return {
    name,
    title,
    description,
    parameters,
    async rehearse(values, { onProgress }) {
      const { seed = 1, scale = 1 } = checkedValues(parameters, values)
      const sides = (): ScenarioSide[] =>
        watch.traffic.flatMap((traffic, at) => [{ name: names[at] ?? '', ...traffic }])
      const watch: WorldWatch = new WorldWatch((world, requests) => {
        const text = `${names[world]}: ${requests.toLocaleString('en')} requests`
        onProgress?.({ text, sides: sides() })
      })
      const { title: text, rows, isGood } = await run({ seed, scale, watch })
      return { title: text, isGood, rows, sides: sides() }
    },
  }
}
