import { insightRules } from '../metrics/insight-names.js'
import type { Table } from '../table/table.js'
import type { InsightsState } from '../table/table-state.js'
import type { OperationContext } from './operation.js'

/**
 * The maximum number of Contributor Insights rules in an account and region, for all tables and indexes together.
 * Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html
 */
const MAX_RULES = 100

/** The name under which the state of the table's own insights is stored. No index can have it. */
export const OF_TABLE = ''

const NO_RULES: Pick<InsightsState, 'accessedSince' | 'throttledSince'> = {}

/** The failure reported for a table or index whose rules could not be created. */
export const QUOTA_EXCEEDED = {
  ExceptionName: 'LimitExceededException',
  ExceptionDescription: `Contributor Insights rules in this account and Region are limited to ${MAX_RULES}. Disable those of other tables or indexes, and enable these again.`,
}

/**
 * The wanted state, if all its rules can be created. Otherwise the rules of before remain, and the failure is reported
 * when the time of the change is over.
 */
export function withinQuota(
  { catalog, region }: OperationContext,
  table: Table,
  index: string | undefined,
  before: InsightsState | undefined,
  wanted: InsightsState,
): InsightsState {
  const rules = catalog.names(region).reduce((sum, name) => sum + ruleCount(catalog.get(region, name)), 0)
  const more = enabledRules(table, index, wanted).length - enabledRules(table, index, before).length
  if (more <= 0 || rules + more <= MAX_RULES) return wanted
  const { mode, changedAt, until } = wanted
  const { accessedSince, throttledSince } = before?.enabled ? before : NO_RULES
  return {
    enabled: true,
    failed: true,
    mode,
    changedAt,
    until,
    ...(accessedSince === undefined ? {} : { accessedSince }),
    ...(throttledSince === undefined ? {} : { throttledSince }),
  }
}

function ruleCount(table: Table | undefined): number {
  if (table === undefined) return 0
  return Object.entries(table.state.insights).reduce((sum, [index, state]) => {
    return sum + enabledRules(table, index === OF_TABLE ? undefined : index, state).length
  }, 0)
}

/** The names of the current rules. */
export function enabledRules(
  table: Table,
  index: string | undefined,
  state: InsightsState | undefined,
): readonly string[] {
  return state?.enabled ? rulesOf(table, index, state) : []
}

function rulesOf(table: Table, index: string | undefined, state: InsightsState): readonly string[] {
  const schema = index === undefined ? table.definition.schema : table.indexes.get(index)?.definition.schema
  const hasSortKey = (schema?.range.length ?? 0) > 0
  return insightRules({ ...state, table: table.name, index, hasSortKey }).map(({ name }) => name)
}
