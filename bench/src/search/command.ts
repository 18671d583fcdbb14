import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PageSection } from '../page-section.js'

const USAGE = `npm run bench -- search [--contacts 500000] [--write]

Measures isotherm/search on the local engine: what writes and queries cost, against contains(), SQLite and MiniSearch.
500,000 contacts take an hour and 12 GB of memory, 100,000 take ten minutes and 3 GB. Units, requests and items do not depend on the machine.

  --contacts  contacts of the tenant that is searched, 1,000 to 1,000,000 (default 500000)
  --write     writes the figures into docs/search.md`

const PAGE = fileURLToPath(new URL('../../../docs/search.md', import.meta.url))
const MARKS = { begin: '<!-- figures: npm run bench -- search --write -->', end: '<!-- /figures -->' }

/** A contact with all its items takes less than 20 KB of the engine's memory. */
const HEAP_MEGABYTES = 1_000
const BYTES_PER_CONTACT = 26_000
/** Of an import most is kept: it is copied less often in a young generation that is large. */
const YOUNG_HEAP = '--max-semi-space-size=256'

/** Runs the benchmark `search`. */
export async function search(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      contacts: { type: 'string', default: '500000' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const contacts = Number(values.contacts)
  if (!Number.isInteger(contacts) || contacts < 1_000 || contacts > 1_000_000)
    throw new Error(
      `--contacts is '${values.contacts}'. It is a whole number from 1000 to 1000000, such as 20000.`,
    )
  const page = values.write ? new PageSection(PAGE, MARKS) : undefined
  const heap = HEAP_MEGABYTES + Math.ceil((contacts * BYTES_PER_CONTACT) / 2 ** 20)
  const script = fileURLToPath(new URL('./measuring-process.js', import.meta.url))
  const child = spawn(
    process.execPath,
    ['--expose-gc', `--max-old-space-size=${heap}`, YOUNG_HEAP, script, String(contacts)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const tables = (await text(child.stdout)).trim()
  if ((await ended) !== 0) throw new Error('The measuring process has ended before it was done.')
  console.log(tables)
  page?.write(tables)
}
