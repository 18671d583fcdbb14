import type * as isothermLibrary from 'isotherm'

/** The library that is tried: the real one, or a copy with a planted bug. */
export type Library = Pick<
  typeof isothermLibrary,
  'isotherm' | 'dynamicShards' | 'fixedShards' | 'calculated' | 'proportional' | 'doubling' | 'incrementBy'
>
