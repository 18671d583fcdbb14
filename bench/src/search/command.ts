import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PageSection } from '../page-section.js'

const USAGE = `npm run bench -- search [--contacts 500000] [--write]
npm run bench -- search --import 500000 [--rate 800] [--write]

Measures isotherm/search on the local engine: what writes and queries cost, against contains(), SQLite and MiniSearch.
500,000 contacts take an hour and 12 GB of memory, 100,000 take ten minutes and 3 GB. Units, requests and items do not depend on the machine.

With --import, it imports contacts of one tenant into an index that is not sharded, and into one that the library shards, and counts the writes
that the index refuses. The engine throttles, on virtual time: no figure depends on the machine. 20,000 contacts take two minutes, 500,000 half an hour and 8 GB of memory.

  --contacts  contacts of the tenant that is searched, 1,000 to 1,000,000 (default 500000)
  --import    contacts to import, 1,000 to 1,000,000; nothing else is measured
  --rate      contacts a second of the import, 100 to 10,000 (default 800)
  --write     writes the figures into docs/search.md`

const PAGE = fileURLToPath(new URL('../../../docs/search.md', import.meta.url))
const MARKS = { begin: '<!-- figures: npm run bench -- search --write -->', end: '<!-- /figures -->' }
const IMPORT_MARKS = {
  begin: '<!-- import: npm run bench -- search --import CONTACTS --write -->',
  end: '<!-- /import -->',
}

const CONTACTS = { least: 1_000, most: 1_000_000 } as const
const RATE = { least: 100, most: 10_000 } as const

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
      import: { type: 'string' },
      rate: { type: 'string', default: '800' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const isImport = values.import !== undefined
  const contacts = isImport
    ? wholeNumber('--import', values.import, CONTACTS)
    : wholeNumber('--contacts', values.contacts, CONTACTS)
  const rate = wholeNumber('--rate', values.rate, RATE)
  const page = values.write ? new PageSection(PAGE, isImport ? IMPORT_MARKS : MARKS) : undefined
  const tables = isImport
    ? await measured(new URL('./importing-process.js', import.meta.url), contacts, rate)
    : await measured(new URL('./measuring-process.js', import.meta.url), contacts)
  console.log(tables)
  page?.write(tables)
}

/** What a process prints that has a heap for all contacts. */
async function measured(script: URL, contacts: number, ...more: readonly number[]): Promise<string> {
  const heap = HEAP_MEGABYTES + Math.ceil((contacts * BYTES_PER_CONTACT) / 2 ** 20)
  const child = spawn(
    process.execPath,
    [
      '--expose-gc',
      `--max-old-space-size=${heap}`,
      YOUNG_HEAP,
      fileURLToPath(script),
      ...[contacts, ...more].map(String),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const tables = (await text(child.stdout)).trim()
  if ((await ended) !== 0) throw new Error('The measuring process has ended before it was done.')
  return tables
}

function wholeNumber(
  flag: string,
  given: string | undefined,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const value = Number(given)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new Error(
    `${flag} is '${given}'. It is a whole number from ${least} to ${most}, such as ${2 * least}.`,
  )
}
