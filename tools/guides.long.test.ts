import { describe, expect, it } from 'vitest'
import { examplesOf, needsComparisons, type PageExample, pages } from './page-examples.js'
import { ExampleTables } from './run-example.js'

/** Examples that run elsewhere, or only beside a service that is not here, by a piece of their text. */
const ELSEWHERE = [
  // `recipes.long.test.ts` runs it in each runner.
  "from 'vitest'",
  "from 'redis'",
]

function isHere(example: PageExample): boolean {
  // Those of object mappers run in `comparisons`, where the mappers are.
  return !needsComparisons(example) && !ELSEWHERE.some((text) => example.code.includes(text))
}

const PAGES = pages()
  .map((page) => ({ page, examples: examplesOf(page).filter(isHere) }))
  .filter(({ examples }) => examples.length > 0)

it('the examples of most pages are found', () => {
  expect(PAGES.length).toBeGreaterThan(30)
})

describe.concurrent.each(PAGES)('the examples of $page', ({ page, examples }) => {
  // Draining waits for half a minute by the machine's clock.
  it('run one after the other against the tables that they name', { timeout: 300_000 }, async () => {
    const tables = await ExampleTables.open(page)
    try {
      for (const example of examples) {
        const { line } = example
        const { code, stderr } = await tables.run(example)
        expect({ line, code, stderr: stderr.slice(0, 1_000) }).toEqual({ line, code: 0, stderr: '' })
      }
    } finally {
      await tables.close()
    }
  })
})
