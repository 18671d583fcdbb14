/** The parts of Contributor Insights that decide the names of its rules. */
export interface InsightsOf {
  readonly table: string
  readonly index: string | undefined
  readonly hasSortKey: boolean
  /** Since when accessed keys and throttled keys are counted. `undefined` when they are not. */
  readonly accessedSince?: number | undefined
  readonly throttledSince?: number | undefined
}

/** A Contributor Insights rule by its name, and the keys it counts. */
export interface NamedRule {
  readonly name: string
  readonly counts: 'accessed' | 'throttled'
  readonly by: 'partition-key' | 'both-keys'
}

/**
 * The rules that DynamoDB creates in CloudWatch for accessed (C) and throttled (T) keys: by partition key, and, if
 * there is a sort key, by both keys. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/contributorinsights_HowItWorks.html
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
