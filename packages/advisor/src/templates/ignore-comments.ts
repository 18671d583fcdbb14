import type { TableDefinition } from '../table/table-definition.js'
import type { TemplateDocument } from './template-document.js'

/** `# isotherm-ignore RULE RULE`, with an optional reason behind ` -- `. */
const COMMENT = /#\s*isotherm-ignore(-file)?\s+([a-z0-9,\s-]+?)\s*(?:--\s.*)?$/

/**
 * Adds the rules that comments ask to ignore. A comment is about the table in whose definition it stands, or right
 * before which it stands; `isotherm-ignore-file` is about all tables of the file.
 */
export function ignoreComments(
  tables: readonly TableDefinition[],
  { text }: TemplateDocument,
): readonly TableDefinition[] {
  const everywhere: string[] = []
  const ofLine = new Map<number, readonly string[]>()
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const [, file, names = ''] = COMMENT.exec(line.trimEnd()) ?? []
    const rules = names.split(/[\s,]+/).filter((rule) => rule !== '')
    if (file !== undefined) everywhere.push(...rules)
    else if (rules.length > 0) ofLine.set(index + 1, rules)
  }
  if (everywhere.length === 0 && ofLine.size === 0) return tables
  return tables.map((table) => ({
    ...table,
    ignoredRules: [...table.ignoredRules, ...everywhere, ...rulesAround(table, ofLine, lines)],
  }))
}

function rulesAround(
  { place }: TableDefinition,
  ofLine: ReadonlyMap<number, readonly string[]>,
  lines: readonly string[],
): string[] {
  const { firstLine, lastLine } = place
  if (firstLine === undefined || lastLine === undefined) return []
  // A comment behind the last value of the definition before is not about this one.
  let first = firstLine
  while (/^\s*#/.test(lines[first - 2] ?? '')) first--
  return [...ofLine].filter(([line]) => line >= first && line <= lastLine).flatMap(([, rules]) => [...rules])
}
