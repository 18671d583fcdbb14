import type * as isothermLibrary from 'isotherm'
import type { large } from 'isotherm/large'

/** The library that is tried: the real one, or a copy with a planted bug. */
export type Library = Pick<
  typeof isothermLibrary,
  'isotherm' | 'dynamicShards' | 'fixedShards' | 'calculated' | 'proportional' | 'doubling' | 'incrementBy'
> & {
  /** Of its entry `isotherm/large`; the real one by default. */
  readonly large?: typeof large
}
