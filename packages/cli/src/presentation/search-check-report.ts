import type { CheckProgress } from 'isotherm/search'
import pc from 'picocolors'
import { printable } from '../terminal.js'
import { grouped } from './figures.js'

/** The result of a check, or of the part of it behind `--start`. */
export interface SearchCheckReport {
  readonly table: string
  readonly isRepair: boolean
  readonly counts: CheckProgress
}

/** The result as one line of JSON. */
export function searchCheckJson({ table, isRepair, counts }: SearchCheckReport): string {
  const { scanned, compared, missing, extra, outdated, repaired } = counts
  return JSON.stringify({ table, repair: isRepair, scanned, compared, missing, extra, outdated, repaired })
}

/** How far a check has come, in one line. */
export function searchCheckProgressText({ scanned, compared, ...counts }: CheckProgress): string {
  return `${grouped(scanned)} items read, ${grouped(compared)} compared with their search items, ${grouped(differencesIn(counts))} differences`
}

/** The result in sentences. */
export function searchCheckText({ table, isRepair, counts }: SearchCheckReport): string {
  const { scanned, compared, missing, extra, outdated, repaired } = counts
  const name = pc.bold(printable(table))
  const read = `${grouped(scanned)} items were read, and ${grouped(compared)} of them compared with their search items.`
  if (differencesIn(counts) === 0)
    return [pc.green(`The search items of ${name} agree with its items.`), read].join('\n')
  const found = `Search items: ${grouped(missing)} missing, ${grouped(extra)} too many. Links with an old name: ${grouped(outdated)}.`
  return isRepair
    ? [pc.green(`${grouped(repaired)} items of ${name} were repaired.`), read, found].join('\n')
    : [
        pc.red(`The search items of ${name} differ from its items. Nothing was written.`),
        read,
        found,
        'Run it again with --repair.',
      ].join('\n')
}

/** What a check has found, of all kinds. */
export function differencesIn({
  missing,
  extra,
  outdated,
}: Pick<CheckProgress, 'missing' | 'extra' | 'outdated'>): number {
  return missing + extra + outdated
}
