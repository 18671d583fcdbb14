import { expect, it } from 'vitest'
import { compileExamples } from './compile-examples.js'
import { differencesOf, examplesOf, needsComparisons, pages } from './page-examples.js'

it('every example of the README and the guides compiles as it stands', () => {
  const examples = pages()
    .flatMap((page) => [
      ...examplesOf(page),
      ...differencesOf(page).flatMap(({ before, after }) => [before, after]),
    ])
    .filter((example) => !needsComparisons(example))
  expect(examples.length).toBeGreaterThan(3)
  expect(compileExamples(examples, 'node_modules')).toBe('')
})
