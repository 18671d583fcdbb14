import { it } from 'vitest'
import { leavesScript } from './leaves-script.fixture.js'

it('a seed that breaks a rule is left as a script, which fails with the bug and passes without', async () => {
  await leavesScript('a change begins with its second phase')
})
