import { it } from 'vitest'

// Stands for all others while the packages they import are missing.
it('the comparisons', ({ skip }) => {
  skip('What they compare with is not installed. Install it with: npm run comparisons')
})
