import { huntMutant } from '../mutants/hunt-mutant.js'
import { MUTANTS_OF_MODES } from '../mutants/of-modes.js'
import type { ModeHunt } from './command-line.js'
import { MarkedSection } from './marked-section.js'

/** Hunts the planted bugs of modes with and without their mode, and makes a table of them. @returns the exit code */
export async function huntByMode({ write }: ModeHunt): Promise<number> {
  const section = write === undefined ? undefined : new MarkedSection(write, 'modes')
  const rows = [
    '| mode | planted bug | with it, found by seed | without it | what it broke |',
    '|---|---|--:|---|---|',
  ]
  let missed = 0
  for (const mutant of MUTANTS_OF_MODES) {
    const { mode, ...bare } = mutant
    const found = await huntMutant(mutant)
    const without = await huntMutant(bare)
    if (found.seed === undefined) missed += 1
    const elsewhere = without.seed === undefined ? `not in ${without.seeds}` : `by seed ${without.seed}`
    const broke = found.violation?.rule ?? '**not found**'
    rows.push(`| \`${mode}\` | ${mutant.name} | ${found.seed ?? 'none'} | ${elsewhere} | ${broke} |`)
    console.log(rows.at(-1))
  }
  section?.write(rows)
  return missed === 0 ? 0 : 1
}
