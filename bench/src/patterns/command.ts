import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PageSection } from '../page-section.js'
import { costTable } from './cost-table.js'
import { counterCosts } from './counter-costs.js'
import { counterLoadTable } from './counter-load-table.js'
import { largeCosts } from './large-costs.js'
import { poolCosts } from './pool-costs.js'
import { poolLoadTable } from './pool-load-table.js'
import { queueCosts } from './queue-costs.js'
import { queueLoadTable } from './queue-load-table.js'
import { rotationCosts } from './rotation-costs.js'

const USAGE = `npm run bench -- patterns [--only PATTERN,...] [--write]

Measures on virtual time what the table patterns cost and take.

  --only   patterns: counter, pool, queue, large, rotation
  --write  writes the figures into docs/PATTERN.md`

/** What is measured of each pattern. */
const PATTERNS: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  counter: async () => [costTable(await counterCosts()), await counterLoadTable()],
  pool: async () => [costTable(await poolCosts()), await poolLoadTable()],
  large: async () => [costTable(await largeCosts())],
  rotation: async () => [costTable(await rotationCosts())],
  queue: async () => [costTable(await queueCosts()), await queueLoadTable()],
}

/** Runs the benchmark `patterns`. */
export async function patterns(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const names = values.only?.split(',') ?? Object.keys(PATTERNS)
  for (const name of names) {
    const measure = PATTERNS[name]
    if (measure === undefined)
      throw new Error(`--only ${name} is unknown. Choose from ${Object.keys(PATTERNS).join(', ')}.`)
    const page = values.write ? pageOf(name) : undefined
    const text = (await measure()).join('\n\n')
    console.log(text)
    page?.write(text)
  }
}

function pageOf(pattern: string): PageSection {
  const path = fileURLToPath(new URL(`../../../docs/${pattern}.md`, import.meta.url))
  const begin = `<!-- figures: npm run bench -- patterns --only ${pattern} --write -->`
  return new PageSection(path, { begin, end: '<!-- /figures -->' })
}
