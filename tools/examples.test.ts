import { describe, expect, it } from 'vitest'
import { compileExamples } from './compile-examples.js'
import { differencesOf, examplesOf, needsComparisons, pages } from './page-examples.js'
import { symbolExamples } from './symbol-examples.js'

it('every example of the READMEs and the guides compiles as it stands', () => {
  const examples = pages()
    .flatMap((page) => [
      ...examplesOf(page),
      ...differencesOf(page).flatMap(({ before, after }) => [before, after]),
    ])
    .filter((example) => !needsComparisons(example))
  expect(examples.length).toBeGreaterThan(3)
  expect(compileExamples(examples, 'node_modules')).toBe('')
})

describe('every @example of a public entry', () => {
  it('compiles, with imports of the names that it uses', () => {
    const examples = symbolExamples()
    expect(examples.length).toBeGreaterThan(50)
    expect(compileExamples(examples, 'node_modules')).toBe('')
  })

  it('is found to be wrong if it uses a name that nobody has declared', () => {
    const [example] = symbolExamples()
    if (example === undefined) throw new Error('There are no examples.')
    const wrong = { ...example, code: `${example.code}\nsendMail('a@example.com')` }
    expect(compileExamples([wrong], 'node_modules')).toContain("Cannot find name 'sendMail'")
  })
})
