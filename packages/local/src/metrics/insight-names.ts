/** A table's or index's Contributor Insights, as far as their names go. */
export interface InsightsOf {
  readonly table: string
  readonly index: string | undefined
  readonly hasSortKey: boolean
  /** Since when keys that are accessed, and keys that are throttled, are counted; nothing when they are not. */
  readonly accessedSince?: number | undefined
  readonly throttledSince?: number | undefined
}

/** A rule of Contributor Insights by its name, and what it counts. */
export interface NamedRule {
  readonly name: string
  readonly counts: 'accessed' | 'throttled'
  readonly by: 'partition-key' | 'both-keys'
}

/**
 * The rules that DynamoDB makes in CloudWatch: of accessed (C) and throttled (T) keys, by partition key and, where there
 * is a sort key, by both.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/contributorinsights_HowItWorks.html
 */
export function insightRules(of: InsightsOf): readonly NamedRule[] {
  const resource = of.index === undefined ? of.table : `${of.table}-${of.index}`
  const keys = of.hasSortKey ? (['PK', 'SK'] as const) : (['PK'] as const)
  const rules = (counts: NamedRule['counts'], letter: string, since: number | undefined) =>
    since === undefined
      ? []
      : keys.map((key): NamedRule => {
          const name = `DynamoDBContributorInsights-${key}${letter}-${resource}-${Math.floor(since)}`
          return { name, counts, by: key === 'PK' ? 'partition-key' : 'both-keys' }
        })
  return [...rules('accessed', 'C', of.accessedSince), ...rules('throttled', 'T', of.throttledSince)]
}
