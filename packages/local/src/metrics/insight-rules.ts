import { InsightRule, type InsightRuleDefinition } from './insight-rule.js'
import type { MetricsParameters } from './metrics-parameters.js'

/** All Contributor Insights rules that count, together within their limits. */
export class InsightRules {
  readonly #parameters: MetricsParameters
  readonly #rules = new Map<string, InsightRule>()
  #contributors = 0

  constructor(parameters: MetricsParameters) {
    this.#parameters = parameters
  }

  get(region: string, name: string): InsightRule | undefined {
    return this.#rules.get(placeOf(region, name))
  }

  /** The rule of that name, with all that it has counted, or a new one. */
  open(region: string, definition: InsightRuleDefinition): InsightRule {
    const known = this.get(region, definition.name)
    if (known !== undefined) return known
    const rule = new InsightRule(definition, (count) => {
      this.#contributors += count
      while (this.#contributors > this.#parameters.maxContributors && this.#forgetOldest());
    })
    this.#rules.set(placeOf(region, definition.name), rule)
    return rule
  }

  /** The rule is gone, and what it has counted. */
  close(region: string, name: string): void {
    const rule = this.get(region, name)
    this.#rules.delete(placeOf(region, name))
    while (rule?.oldest !== undefined) rule.forgetOldest()
  }

  /** @returns whether there was anything to forget. */
  #forgetOldest(): boolean {
    let oldest: InsightRule | undefined
    for (const rule of this.#rules.values()) {
      const at = rule.oldest ?? Number.POSITIVE_INFINITY
      if (at < (oldest?.oldest ?? Number.POSITIVE_INFINITY)) oldest = rule
    }
    oldest?.forgetOldest()
    return oldest !== undefined
  }
}

function placeOf(region: string, name: string): string {
  return `${region}/${name}`
}
