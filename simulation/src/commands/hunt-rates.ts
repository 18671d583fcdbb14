import { type Hunt, huntMutant } from '../mutants/hunt-mutant.js'
import type { Mutant } from '../mutants/mutant.js'
import { MUTANTS } from '../mutants/mutants.js'
import type { RateHunt } from './command-line.js'
import { MarkedSection } from './marked-section.js'

/** What came of all hunts. */
class Rate {
  #found = 0
  #seeds = 0
  #cpuMilliseconds = 0

  add({ hunt, cpuMilliseconds }: TimedHunt): void {
    if (hunt.seed !== undefined) this.#found += 1
    this.#seeds += hunt.seeds
    this.#cpuMilliseconds += cpuMilliseconds
  }

  row(name: string): string {
    const hours = this.#cpuMilliseconds / 3_600_000
    const cells = [
      name,
      this.#found,
      this.#seeds,
      Math.round(this.#cpuMilliseconds / 1_000),
      Math.round(this.#found / hours),
    ]
    return `| ${cells.join(' | ')} |`
  }
}

interface TimedHunt {
  readonly hunt: Hunt
  readonly cpuMilliseconds: number
}

/**
 * Hunts all planted bugs from the first seed on, with their modes and as before there were modes, and makes a table of how many are found
 * in an hour of processor time. @returns the exit code
 */
export async function huntRates({ write }: RateHunt): Promise<number> {
  const section = write === undefined ? undefined : new MarkedSection(write, 'rates')
  const [before, now] = [new Rate(), new Rate()]
  for (const [index, mutant] of MUTANTS.entries()) {
    const { mode, ...bare } = mutant
    const without = await timed(bare)
    before.add(without)
    now.add(mode === undefined ? without : await timed(mutant))
    console.log(`${index + 1} of ${MUTANTS.length}: ${mutant.name}`)
  }
  const rows = [
    `| ${MUTANTS.length} planted bugs | found | seeds | seconds | found in an hour |`,
    '|---|--:|--:|--:|--:|',
    before.row('without modes'),
    now.row('with modes'),
  ]
  for (const row of rows) console.log(row)
  section?.write(rows)
  return 0
}

async function timed(mutant: Mutant): Promise<TimedHunt> {
  const from = process.cpuUsage()
  const hunt = await huntMutant(mutant)
  const { user, system } = process.cpuUsage(from)
  return { hunt, cpuMilliseconds: (user + system) / 1_000 }
}
