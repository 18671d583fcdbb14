import { DescribeContributorInsightsCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** A table, or one of its global indexes. */
export interface InsightTarget {
  readonly table: string
  readonly index?: string
}

/** The rules of Contributor Insights by what they count. */
export interface InsightRules {
  /** Consumed units by partition key. */
  readonly consumed: string
  /** Throttled requests by partition key. */
  readonly throttled?: string
}

/** The rules of a table, or `undefined` while Contributor Insights is off or counts throttled keys only. */
export async function insightRules(
  client: DynamoDBClient,
  { table, index }: InsightTarget,
  signal: AbortSignal,
): Promise<InsightRules | undefined> {
  const { ContributorInsightsStatus: status, ContributorInsightsRuleList: rules = [] } = await client.send(
    new DescribeContributorInsightsCommand({
      TableName: table,
      ...(index === undefined ? {} : { IndexName: index }),
    }),
    { abortSignal: signal },
  )
  if (status !== 'ENABLED') return undefined
  const consumed = rules.find((rule) => rule.includes('-PKC-'))
  const throttled = rules.find((rule) => rule.includes('-PKT-'))
  return consumed === undefined ? undefined : { consumed, ...(throttled === undefined ? {} : { throttled }) }
}
