import {
  DescribeContributorInsightsCommand,
  type DynamoDBClient,
  UpdateContributorInsightsCommand,
} from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import { CommandError, EXIT_FAILED } from '../command-error.js'

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

const POLL_MILLISECONDS = 2_000
/** It takes one to two seconds. */
const MAX_POLLS = 60

/** The rules of a table, or `undefined` while Contributor Insights is off or counts throttled keys only. */
export async function insightRules(
  client: DynamoDBClient,
  target: InsightTarget,
  signal: AbortSignal,
): Promise<InsightRules | undefined> {
  const { ContributorInsightsStatus: status, ContributorInsightsRuleList: rules = [] } = await client.send(
    new DescribeContributorInsightsCommand(named(target)),
    { abortSignal: signal },
  )
  if (status !== 'ENABLED') return undefined
  const consumed = rules.find((rule) => rule.includes('-PKC-'))
  const throttled = rules.find((rule) => rule.includes('-PKT-'))
  return consumed === undefined ? undefined : { consumed, ...(throttled === undefined ? {} : { throttled }) }
}

/** Turns Contributor Insights on, and waits until its rules exist. */
export async function turnOn(
  client: DynamoDBClient,
  target: InsightTarget,
  clock: Clock,
  signal: AbortSignal,
): Promise<InsightRules> {
  await client.send(
    new UpdateContributorInsightsCommand({
      ...named(target),
      ContributorInsightsAction: 'ENABLE',
      ContributorInsightsMode: 'ACCESSED_AND_THROTTLED_KEYS',
    }),
    { abortSignal: signal },
  )
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const rules = await insightRules(client, target, signal)
    if (rules !== undefined) return rules
    await clock.sleep(POLL_MILLISECONDS, signal)
  }
  throw new CommandError(
    `Contributor Insights of ${target.table} did not become ENABLED within ${(MAX_POLLS * POLL_MILLISECONDS) / 1_000} s; see DescribeContributorInsights for the reason.`,
    EXIT_FAILED,
  )
}

export async function turnOff(client: DynamoDBClient, target: InsightTarget): Promise<void> {
  await client.send(
    new UpdateContributorInsightsCommand({ ...named(target), ContributorInsightsAction: 'DISABLE' }),
  )
}

function named({ table, index }: InsightTarget): { TableName: string; IndexName?: string } {
  return { TableName: table, ...(index === undefined ? {} : { IndexName: index }) }
}
