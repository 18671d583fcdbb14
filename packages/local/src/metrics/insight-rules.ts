import { InsightRule, type InsightRuleDefinition } from './insight-rule.js'
import type { MetricsParameters } from './metrics-parameters.js'

/** All Contributor Insights rules, with a common limit of stored contributors. */
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

  /** The rule of that name with its counts, or a new one. */
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

  /** Removes the rule and its counts. */
  close(region: string, name: string): void {
    const rule = this.get(region, name)
    this.#rules.delete(placeOf(region, name))
    while (rule?.oldest !== undefined) rule.forgetOldest()
  }

  /** @returns whether there was a minute to remove. */
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
