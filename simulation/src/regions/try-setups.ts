import type { Library } from '../world/library.js'
import { LIBRARY } from '../world/library.js'
import { ignoringShardMapClient } from './planted-client.js'
import { runSetup } from './run-setup.js'
import { SETUPS, type Setup } from './setup.js'

/** Simulated seconds of load of one run. */
const SECONDS = 40

/** What came of the seeds of one setup. */
export interface SetupTrial {
  readonly name: string
  readonly promised: Setup['promised']
  /** Seeds that were run: all, or up to the first one that showed something. */
  readonly seeds: number
  /** The rule that did not hold, and what was seen. */
  readonly broken: { readonly rule: string; readonly message: string } | undefined
  /** Whether this is what the setup promises. */
  readonly isExpected: boolean
}

/** Runs each setup, and one with a planted bug, with seeds from 1 on, until one of them breaks a rule. */
export async function trySetups(seeds: number, onTried: (trial: SetupTrial) => void): Promise<void> {
  for (const setup of SETUPS) onTried(await trial(LIBRARY, setup, seeds))
  const planted = SETUPS.find(
    ({ promised, shardMaps, isFixed }) => promised === 'always' && shardMaps === 1 && !isFixed,
  )
  if (planted === undefined) throw new Error('A setup with one shard map is promised.')
  const name = `${planted.name}, with a planted bug: \`shardMap.client\` is ignored`
  onTried(await trial(ignoringShardMapClient(LIBRARY), { ...planted, name, promised: 'nothing' }, seeds))
}

async function trial(library: Library, setup: Setup, seeds: number): Promise<SetupTrial> {
  const { name, promised } = setup
  for (let seed = 1; seed <= seeds; seed++) {
    const broken = await runSetup(library, setup, { seed, seconds: SECONDS })
    if (broken !== undefined)
      return { name, promised, seeds: seed, broken, isExpected: promised === 'nothing' }
  }
  return { name, promised, seeds, broken: undefined, isExpected: promised !== 'nothing' }
}
