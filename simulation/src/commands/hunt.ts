import { huntMutant } from '../mutants/hunt-mutant.js'
import type { Hunt } from './command-line.js'
import { MarkedSection } from './marked-section.js'

/** Hunts planted bugs, one after the other, and makes a table of them. @returns the exit code */
export async function hunt({ mutants, write }: Hunt): Promise<number> {
  const section = write === undefined ? undefined : new MarkedSection(write, 'mutants')
  const rows = ['| planted bug | found by seed | of at most | what it broke |', '|---|--:|--:|---|']
  let missed = 0
  for (const [index, mutant] of mutants.entries()) {
    console.log(`${index + 1} of ${mutants.length}: ${mutant.name}, in ${mutant.seeds} seeds at most ...`)
    const { seed, violation } = await huntMutant(mutant)
    if (violation === undefined) missed += 1
    const broke = violation?.rule ?? '**not found**'
    rows.push(`| ${mutant.name} | ${seed ?? 'none'} | ${mutant.seeds} | ${broke} |`)
    console.log(rows.at(-1))
  }
  console.log(`${mutants.length - missed} of ${mutants.length} planted bugs found`)
  section?.write(rows)
  return missed === 0 ? 0 : 1
}
