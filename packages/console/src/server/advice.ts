import type { Advice, AdviceFinding } from '../api/advice.js'
import type { ConsoleSource } from '../source/console-source.js'

const ORDER: readonly AdviceFinding['level'][] = ['error', 'warning', 'note']

/** What the linter finds in a table as it is described. Items are not read, because that would cost the table capacity. */
export async function adviceFor(source: ConsoleSource, region: string, table: string): Promise<Advice> {
  // Loaded on demand: most of those who look at heat do not ask.
  const { lintTable, readTables } = await import('@isotherm/advisor')
  const described = await source.describe(region, table)
  const findings = readTables(JSON.stringify(described), table)
    .flatMap((definition) => lintTable(definition).findings)
    .map(({ rule, level, title, subject, evidence, consequence, cure, page }) => {
      return { rule, level, title, subject, evidence, consequence, cure, page }
    })
  findings.sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level))
  return { version: 1, table, findings }
}
