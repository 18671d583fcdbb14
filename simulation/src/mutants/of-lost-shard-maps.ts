import { LOSING, type Settings } from '../runs/settings.js'
import type { Mutant } from './mutant.js'

/** Runs in which counts change, and the shard maps are lost in the middle of that. */
function losingShardMaps(drawn: Settings): Settings {
  return {
    ...drawn,
    losesShardMaps: true,
    steady: undefined,
    operatorMilliseconds: 2_000,
    table: { ...drawn.table, isFixed: false },
  }
}

/** Bugs of processes that meet an emptied shard map, and of its rebuild. */
export const MUTANTS_OF_LOST_SHARD_MAPS: readonly Mutant[] = [
  {
    name: 'an emptied shard map is taken for a new one',
    mark: 'empty-shard-map-is-compared-with-the-table',
    kind: 'statement',
    becomes: 'await Promise.resolve([requireItems, isEmpty])',
    seeds: 30,
    workloads: LOSING,
    settings: losingShardMaps,
  },
  {
    name: 'a rebuild does not note the highest shard',
    mark: 'rebuild-knows-the-highest-shard',
    kind: 'statement',
    becomes: '',
    seeds: 20,
    workloads: LOSING,
    settings: losingShardMaps,
  },
  {
    name: 'a rebuild settles a change that is not complete',
    mark: 'rebuild-knows-of-two-counts',
    kind: 'condition',
    becomes: 'rest.length < 1_000',
    seeds: 60,
    workloads: ['shared-items', 'counters', 'transfers'],
    settings: losingShardMaps,
  },
  {
    name: 'a rebuild does not look where marked items go',
    mark: 'rebuild-knows-where-marked-items-go',
    kind: 'statement',
    becomes: 'const places = [shard]',
    seeds: 400,
    workloads: ['shared-items', 'counters', 'transfers'],
    settings: losingShardMaps,
  },
]
