import { it } from 'vitest'
import { leavesScript } from './leaves-script.fixture.js'

/** Rules of each kind that scripts have words for. */
it.each([
  'the old place is forgotten',
  'places are remainders of the hash',
  'a change that was left is not taken over',
])('a seed that shows that %s is left as a script, which fails with the bug and passes without', leavesScript)
