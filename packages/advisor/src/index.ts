export type { Item } from '@isotherm/semantics'
export { AdvisorError, type AdvisorErrorCode } from './errors/advisor-error.js'
export type { Finding } from './lint/finding.js'
export { knownRule, type LintSettings, NO_SETTINGS, parseLintSettings } from './lint/lint-settings.js'
export { lintTable, type TableFindings } from './lint/lint-table.js'
export {
  type Cure,
  type Examined,
  type Found,
  LEVELS,
  type Level,
  type Rule,
  type RuleExample,
} from './lint/rule/rule.js'
export { RULES } from './lint/rules.js'
export { sarifLog } from './lint/sarif-log.js'
export { type AttributeFigures, ItemSample } from './sample/item-sample.js'
export { parseItems } from './sample/parse-items.js'
export type { ValueCount } from './sample/value-counts.js'
export type {
  Billing,
  IndexDefinition,
  KeyAttribute,
  KeyDefinition,
  Projection,
  TableDefinition,
  TablePlace,
  Throughput,
} from './table/table-definition.js'
export { readTables, tablesIn } from './templates/read-tables.js'
