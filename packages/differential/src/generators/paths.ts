import fc, { type Arbitrary } from 'fast-check'
import { weighted } from './weighted.js'

/** Paths to attributes that items have, to some that they do not have, and some that are invalid. */
export const path: Arbitrary<string> = weighted(
  [20, fc.constantFrom('a', 'b', 'n', 'g', 'h', 'doc', '#a', '#n', '#doc', '#status')],
  [6, fc.constantFrom('bag', 'steps')],
  [12, fc.constantFrom('doc.x', 'doc.y', 'doc.y[0]', 'doc.y[1]', 'doc.z.x', '#doc.#x', 'doc.z', 'doc.gone')],
  [8, fc.constantFrom('steps[0]', 'steps[1]', 'steps[2]', 'steps[7]', 'steps[0].x', 'steps[1][0]', '#dot')],
  [3, fc.constantFrom('gone', 'gone.x', 'gone[0]', 'a[0]', 'a.x', 'n.x', 'doc[0]', 'steps.x', 'bag[0]')],
  [1, fc.constantFrom('pk', 'sk', '#pk', '#sk', '#pk', 'pk.x', 'status', 'name', 'doc.count')],
)
