import type { ItemSample } from '../sample/item-sample.js'
import type { TableDefinition } from '../table/table-definition.js'
import type { Finding } from './finding.js'
import { type LintSettings, NO_SETTINGS } from './lint-settings.js'
import { rulePage } from './rule-page.js'
import { RULES } from './rules.js'

/** The findings of one table, and how many were ignored. */
export interface TableFindings {
  readonly findings: readonly Finding[]
  /** Findings of rules that comments or settings ask to ignore. */
  readonly ignored: number
}

/**
 * Checks a table against all rules.
 *
 * @param sample items of the table; without them the rules about items are silent
 * @example
 * const text = '{"TableName":"t","KeySchema":[{"AttributeName":"status","KeyType":"HASH"}]}'
 * for (const table of readTables(text, 't.json')) {
 *   for (const { rule, evidence } of lintTable(table).findings) console.log(rule, evidence)
 * }
 */
export function lintTable(
  table: TableDefinition,
  sample?: ItemSample,
  settings: LintSettings = NO_SETTINGS,
): TableFindings {
  const ignoredRules = new Set([...settings.ignore, ...table.ignoredRules, ...ignoredFor(table, settings)])
  let ignored = 0
  const findings = RULES.flatMap((rule) => {
    const found = rule.check({ table, ...(sample === undefined ? {} : { sample }) })
    if (ignoredRules.has(rule.id)) {
      ignored += found.length
      return []
    }
    return found.map(({ level = rule.level, ...finding }) => ({
      rule: rule.id,
      level: settings.levels[rule.id] ?? level,
      title: rule.title,
      table: table.name,
      place: table.place,
      page: rulePage(rule.id),
      ...finding,
    }))
  })
  return { findings, ignored }
}

function ignoredFor({ name, place }: TableDefinition, { tables }: LintSettings): readonly string[] {
  return Object.entries(tables).flatMap(([pattern, rules]) => {
    const matches = matcherOf(pattern)
    return matches.test(name) || matches.test(place.resource ?? '') ? rules : []
  })
}

function matcherOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}
