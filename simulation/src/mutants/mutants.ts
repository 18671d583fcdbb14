import type { Mutant } from './mutant.js'
import { MUTANTS_OF_CARDS } from './of-cards.js'
import { MUTANTS_OF_CHANGES } from './of-changes.js'
import { MUTANTS_OF_INDEXES } from './of-indexes.js'
import { MUTANTS_OF_KEPT_APPENDS } from './of-kept-appends.js'
import { MUTANTS_OF_LARGE } from './of-large.js'
import { MUTANTS_OF_LOGS } from './of-logs.js'
import { MUTANTS_OF_LOST_SHARD_MAPS } from './of-lost-shard-maps.js'
import { MUTANTS_OF_MANY_ITEMS } from './of-many-items.js'
import { MUTANTS_OF_MIGRATIONS } from './of-migrations.js'
import { MUTANTS_OF_MODES } from './of-modes.js'
import { MUTANTS_OF_MOVES } from './of-moves.js'
import { MUTANTS_OF_PATTERNS } from './of-patterns.js'
import { MUTANTS_OF_PLACES } from './of-places.js'
import { MUTANTS_OF_ROTATION } from './of-rotation.js'
import { MUTANTS_OF_SCALING } from './of-scaling.js'
import { MUTANTS_OF_SEARCH } from './of-search.js'

/**
 * Bugs that the simulator must find. Each is a mistake that somebody could make in the library; what is mistaken for a bug
 * and is none, because something else makes up for it, is not here.
 */
export const MUTANTS: readonly Mutant[] = [
  ...MUTANTS_OF_CHANGES,
  ...MUTANTS_OF_CARDS,
  ...MUTANTS_OF_LOST_SHARD_MAPS,
  ...MUTANTS_OF_PLACES,
  ...MUTANTS_OF_MOVES,
  ...MUTANTS_OF_LOGS,
  ...MUTANTS_OF_KEPT_APPENDS,
  ...MUTANTS_OF_SCALING,
  ...MUTANTS_OF_INDEXES,
  ...MUTANTS_OF_MANY_ITEMS,
  ...MUTANTS_OF_LARGE,
  ...MUTANTS_OF_ROTATION,
  ...MUTANTS_OF_PATTERNS,
  ...MUTANTS_OF_SEARCH,
  ...MUTANTS_OF_MIGRATIONS,
  ...MUTANTS_OF_MODES,
]
