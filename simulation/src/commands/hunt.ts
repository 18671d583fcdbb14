import { huntMutant } from '../mutants/hunt-mutant.js'
import { plantedLibrary } from '../mutants/planted-library.js'
import type { Hunt } from './command-line.js'
import { MarkedSection } from './marked-section.js'
import { tellScript } from './tell-script.js'

/** Hunts planted bugs, one after the other, and makes a table of them. @returns the exit code */
export async function hunt({ mutants, write, save }: Hunt): Promise<number> {
  const section = write === undefined ? undefined : new MarkedSection(write, 'mutants')
  const rows = ['| planted bug | found by seed | of at most | what it broke |', '|---|--:|--:|---|']
  let missed = 0
  for (const [index, mutant] of mutants.entries()) {
    console.log(`${index + 1} of ${mutants.length}: ${mutant.name}, in ${mutant.seeds} seeds at most ...`)
    const { seed, violation, settings } = await huntMutant(mutant)
    if (violation === undefined) missed += 1
    const broke = violation?.rule ?? '**not found**'
    rows.push(`| ${mutant.name} | ${seed ?? 'none'} | ${mutant.seeds} | ${broke} |`)
    console.log(rows.at(-1))
    if (save !== undefined && settings !== undefined)
      await tellScript(await plantedLibrary(mutant), settings, save)
  }
  console.log(`${mutants.length - missed} of ${mutants.length} planted bugs found`)
  section?.write(rows)
  return missed === 0 ? 0 : 1
}
