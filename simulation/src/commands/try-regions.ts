import { type SetupTrial, trySetups } from '../regions/try-setups.js'
import type { RegionsTrial } from './command-line.js'
import { MarkedSection } from './marked-section.js'

const PROMISES = {
  always: 'at any time, for what its own region has written; everything at the end',
  nothing: 'nothing',
} as const

/** Runs the setups of global tables, and makes a table of what came of them. @returns the exit code */
export async function tryRegions({ seeds, write }: RegionsTrial): Promise<number> {
  const section = write === undefined ? undefined : new MarkedSection(write, 'regions')
  const rows = ['| setup | a region finds | what the runs showed |', '|---|---|---|']
  let isExpected = true
  await trySetups(seeds, (trial) => {
    isExpected &&= trial.isExpected
    rows.push(`| ${trial.name} | ${PROMISES[trial.promised]} | ${shown(trial)} |`)
    console.log(rows.at(-1))
    if (trial.broken !== undefined) console.log(`  ${trial.broken.message}`)
  })
  section?.write(rows)
  return isExpected ? 0 : 1
}

function shown({ seeds, broken }: SetupTrial): string {
  return broken === undefined ? `${seeds} seeds held` : `broken by seed ${seeds}: "${broken.rule}"`
}
