import { expect, it } from 'vitest'
import { compileExamples } from '../../tools/compile-examples.js'
import { examplesOf, needsComparisons, pages } from '../../tools/page-examples.js'
import { runExample } from '../../tools/run-example.js'

const MODULES = 'comparisons/node_modules'

it('every example of the guides that imports a mapper compiles as it stands', () => {
  const examples = pages().flatMap(examplesOf).filter(needsComparisons)
  expect(examples.length).toBeGreaterThan(3)
  expect(compileExamples(examples, MODULES)).toBe('')
})

it.each(examplesOf('docs/object-mappers.md'))(
  'the example of $page at line $line runs as it stands',
  async (example) => {
    const { stderr } = await runExample(example, needsComparisons(example) ? MODULES : undefined)
    expect(stderr).toBe('')
  },
)
