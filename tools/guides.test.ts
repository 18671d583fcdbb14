import { describe, expect, it } from 'vitest'
import { differencesOf, examplesOf } from './page-examples.js'
import { runExample } from './run-example.js'

/** Where people begin. `guides.long.test.ts` runs the examples of all pages. */
const PAGES = [
  'README.md',
  'docs/quick-start.md',
  'docs/sharding.md',
  'docs/sharding-indexes.md',
  'docs/adopting.md',
]

describe.concurrent.each(PAGES)('the examples of %s', (page) => {
  it('run as they stand against the tables that they name', async () => {
    const examples = examplesOf(page)
    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) {
      const { stderr } = await runExample(example)
      const { line } = example
      expect({ line, stderr: stderr.slice(0, 1_000) }).toEqual({ line, stderr: '' })
    }
  })
})

it('the README shows the same before the client is wrapped and after', async () => {
  const [difference] = differencesOf('README.md')
  if (difference === undefined) throw new Error('README.md shows no difference.')
  const shown = [(await runExample(difference.before)).stdout, (await runExample(difference.after)).stdout]
  expect(shown[0]).toContain("customer: 'acme', order_id: '2027-0042', paid: 20")
  expect(shown[1]).toBe(shown[0])
})
