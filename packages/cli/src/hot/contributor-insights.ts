import {
  DescribeContributorInsightsCommand,
  type DynamoDBClient,
  UpdateContributorInsightsCommand,
} from '@aws-sdk/client-dynamodb'
import { type InsightRules, type InsightTarget, insightRules } from '@isotherm/console/remote'
import type { Clock } from '@isotherm/runtime'
import { CommandError, EXIT_FAILED } from '../command-error.js'

const POLL_MILLISECONDS = 2_000
/** It takes one to two seconds. */
const MAX_POLLS = 60

/** How Contributor Insights was before it is turned on. Throttled keys alone are not what is asked for, but somebody may watch them. */
export type InsightsBefore = 'off' | 'throttled-keys'

/** What to go back to, of a table whose keys are not all counted. */
export async function insightsBefore(
  client: DynamoDBClient,
  target: InsightTarget,
  signal: AbortSignal,
): Promise<InsightsBefore> {
  const { ContributorInsightsStatus: status, ContributorInsightsMode: mode } = await client.send(
    new DescribeContributorInsightsCommand(named(target)),
    { abortSignal: signal },
  )
  const isOn = status === 'ENABLED' || status === 'ENABLING'
  return isOn && mode === 'THROTTLED_KEYS' ? 'throttled-keys' : 'off'
}

/**
 * Turns Contributor Insights on.
 * @throws the SDK's errors. Unless `isRefusal`, it may be on all the same.
 */
export async function turnOn(
  client: DynamoDBClient,
  target: InsightTarget,
  signal: AbortSignal,
): Promise<void> {
  await client.send(
    new UpdateContributorInsightsCommand({
      ...named(target),
      ContributorInsightsAction: 'ENABLE',
      ContributorInsightsMode: 'ACCESSED_AND_THROTTLED_KEYS',
    }),
    { abortSignal: signal },
  )
}

/** Whether the service has answered a request with an error of the caller, such as a missing permission. Then nothing has changed. */
export function isRefusal(error: unknown): boolean {
  const status = Object(Object(error).$metadata).httpStatusCode
  return typeof status === 'number' && status >= 400 && status < 500
}

/** Waits until the rules of Contributor Insights exist. */
export async function rulesOnceOn(
  client: DynamoDBClient,
  target: InsightTarget,
  clock: Clock,
  signal: AbortSignal,
): Promise<InsightRules> {
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

/** Ends what `turnOn` began. */
export async function turnBack(
  client: DynamoDBClient,
  target: InsightTarget,
  before: InsightsBefore,
): Promise<void> {
  const action =
    before === 'off'
      ? ({ ContributorInsightsAction: 'DISABLE' } as const)
      : ({ ContributorInsightsAction: 'ENABLE', ContributorInsightsMode: 'THROTTLED_KEYS' } as const)
  await client.send(new UpdateContributorInsightsCommand({ ...named(target), ...action }))
}

function named({ table, index }: InsightTarget): { TableName: string; IndexName?: string } {
  return { TableName: table, ...(index === undefined ? {} : { IndexName: index }) }
}
