import type * as isothermLibrary from 'isotherm'
import * as isotherm from 'isotherm'
import { counter } from 'isotherm/counter'
import { large } from 'isotherm/large'
import { pool } from 'isotherm/pool'
import { queue } from 'isotherm/queue'
import { rotation } from 'isotherm/rotation'
import { defineDirectory, directory } from 'isotherm/search'

const PATTERNS = { counter, defineDirectory, directory, large, pool, queue, rotation }

/** The library that is tried, with its table patterns: the real one, or a copy with a planted bug. */
export type Library = Pick<
  typeof isothermLibrary,
  | 'isotherm'
  | 'rebuildShardMap'
  | 'dynamicShards'
  | 'fixedShards'
  | 'calculated'
  | 'proportional'
  | 'doubling'
  | 'incrementBy'
> &
  typeof PATTERNS

/** The real one. */
export const LIBRARY: Library = { ...isotherm, ...PATTERNS }
