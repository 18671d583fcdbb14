import { resourceNotFound, validationException } from '../errors/service-error.js'
import { afterwards } from '../storage/afterwards.js'
import type { Table } from '../table/table.js'
import { type InsightsMode, type InsightsState, memberOf } from '../table/table-state.js'
import { indexStatusAt } from '../table/transition.js'
import { checkedToken, invalidToken, textOfToken } from '../validation/checked-token.js'
import { TABLE, TABLE_NAME } from '../validation/members.js'
import { epochSeconds } from './epoch-seconds.js'
import { enabledRules, OF_TABLE, QUOTA_EXCEEDED, withinQuota } from './insight-quota.js'
import { controlledTable, defineOperation, type OperationContext } from './operation.js'

const MODES = ['ACCESSED_AND_THROTTLED_KEYS', 'THROTTLED_KEYS'] as const
const MAX_RESULTS = 100

interface Target {
  readonly TableName: string
  readonly IndexName?: string
}

interface UpdateInput extends Target {
  readonly ContributorInsightsAction: 'ENABLE' | 'DISABLE'
  readonly ContributorInsightsMode?: InsightsMode
}

/** Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/contributorinsights_HowItWorks.html */
export const updateContributorInsights = defineOperation<UpdateInput>(
  {
    type: 'structure',
    members: {
      TableName: { ...TABLE, required: true },
      IndexName: TABLE_NAME,
      ContributorInsightsAction: { type: 'string', required: true, oneOf: ['ENABLE', 'DISABLE'] },
      ContributorInsightsMode: { type: 'string', oneOf: MODES },
    },
  },
  (input, context) => {
    const { catalog, lifeCycle, clock } = context
    const table = targetOf(context, input)
    const now = clock.now()
    if (input.ContributorInsightsAction === 'ENABLE') checkActive(table, input.IndexName, now)
    const before = memberOf(table.state.insights, input.IndexName ?? OF_TABLE)
    const wanted = changed(before, input, lifeCycle.delays, now)
    const after = wanted === before ? before : withinQuota(context, table, input.IndexName, before, wanted)
    table.changeInsights({ ...table.state.insights, [input.IndexName ?? OF_TABLE]: after })
    const status = after === before ? statusOf(after, now) : after.enabled ? 'ENABLING' : 'DISABLING'
    return afterwards(catalog.save(table), () => ({
      TableName: table.name,
      ...indexOf(input),
      ContributorInsightsStatus: status,
      ContributorInsightsMode: after.mode,
    }))
  },
)

export const describeContributorInsights = defineOperation<Target>(
  { type: 'structure', members: { TableName: { ...TABLE, required: true }, IndexName: TABLE_NAME } },
  (input, context) => {
    const table = targetOf(context, input)
    const state = memberOf(table.state.insights, input.IndexName ?? OF_TABLE)
    return {
      TableName: table.name,
      ...indexOf(input),
      ContributorInsightsRuleList: enabledRules(table, input.IndexName, state),
      ContributorInsightsStatus: statusOf(state, context.clock.now()),
      ...(state === undefined
        ? {}
        : {
            LastUpdateDateTime: epochSeconds(state.changedAt),
            ContributorInsightsMode: state.mode,
            ...(statusOf(state, context.clock.now()) === 'FAILED'
              ? { FailureException: QUOTA_EXCEEDED }
              : {}),
          }),
    }
  },
)

interface ListInput {
  readonly TableName?: string
  readonly NextToken?: string
  readonly MaxResults?: number
}

export const listContributorInsights = defineOperation<ListInput>(
  {
    type: 'structure',
    members: {
      TableName: TABLE,
      NextToken: { type: 'string' },
      MaxResults: { type: 'integer', value: { max: MAX_RESULTS } },
    },
  },
  (input, context) => {
    const { catalog, region, clock } = context
    const now = clock.now()
    const tables =
      input.TableName === undefined
        ? catalog.names(region).map((name) => controlledTable(context, name))
        : [controlledTable(context, input.TableName)]
    const summaries = tables.flatMap((table) =>
      Object.entries(table.state.insights)
        .filter(([, state]) => statusOf(state, now) !== 'DISABLED')
        .map(([index, state]) => ({
          TableName: table.name,
          ...(index === OF_TABLE ? {} : { IndexName: index }),
          ContributorInsightsStatus: statusOf(state, now),
          ContributorInsightsMode: state.mode,
        })),
    )
    const from = input.NextToken === undefined ? 0 : positionOf(input.NextToken)
    const to = from + Math.max(1, input.MaxResults ?? MAX_RESULTS)
    return {
      ContributorInsightsSummaries: summaries.slice(from, to),
      ...(to < summaries.length ? { NextToken: checkedToken(String(to)) } : {}),
    }
  },
)

function targetOf(context: OperationContext, { TableName, IndexName: index }: Target): Table {
  const table = controlledTable(context, TableName)
  if (index === undefined || table.indexes.get(index)?.isLocal === false) return table
  throw resourceNotFound(`Index: ${index} not found for table: ${table.name}`)
}

/** Observed in October 2026. @throws ServiceError */
function checkActive(table: Table, indexName: string | undefined, now: number): void {
  const index = indexName === undefined ? undefined : table.indexes.get(indexName)
  const isIndexActive = index === undefined || indexStatusAt(index.state, now) === 'ACTIVE'
  if (table.status === 'ACTIVE' && isIndexActive) return
  const status = table.status === 'ACTIVE' ? 'IndexStatus' : 'TableStatus'
  throw validationException(
    `Table or Index is not in a valid state to update Key Access Insights: ${status} must be ACTIVE to enable ContributorInsights.`,
  )
}

/** Enabling insights again in the same mode changes nothing. Another mode keeps the rules that both modes have. */
function changed(
  before: InsightsState | undefined,
  { ContributorInsightsAction: action, ContributorInsightsMode: wanted }: UpdateInput,
  delays: { readonly enableInsights: number; readonly disableInsights: number },
  now: number,
): InsightsState {
  const mode = wanted ?? before?.mode ?? 'ACCESSED_AND_THROTTLED_KEYS'
  if (action === 'DISABLE') {
    if (before?.enabled === false) return before
    return { enabled: false, mode, changedAt: now, until: now + delays.disableInsights }
  }
  if (before?.enabled && !before.failed && before.mode === mode) return before
  const running = before?.enabled ? before : undefined
  return {
    enabled: true,
    mode,
    changedAt: now,
    until: now + delays.enableInsights,
    throttledSince: running?.throttledSince ?? now,
    ...(mode === 'THROTTLED_KEYS' ? {} : { accessedSince: running?.accessedSince ?? now }),
  }
}

function statusOf(state: InsightsState | undefined, now: number): string {
  if (state === undefined) return 'DISABLED'
  const doing = now < state.until
  if (state.enabled) return doing ? 'ENABLING' : state.failed ? 'FAILED' : 'ENABLED'
  return doing ? 'DISABLING' : 'DISABLED'
}

function indexOf({ IndexName }: Target): { IndexName?: string } {
  return IndexName === undefined ? {} : { IndexName }
}

function positionOf(token: string): number {
  const position = Number(textOfToken(token))
  if (Number.isSafeInteger(position)) return position
  throw invalidToken()
}
