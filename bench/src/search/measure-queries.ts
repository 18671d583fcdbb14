import { DescribeTableCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom, SystemClock } from '@isotherm/runtime'
import { directory, directoryTable } from 'isotherm/search'
import { contactDirectory } from './contact-directory.js'
import { categories, contactRows } from './contact-rows.js'
import { heldMemory } from './held-memory.js'
import { MeasuredEngine, type Taken } from './measured-engine.js'
import type { DrawnQuery, SearchedTexts } from './searched-texts.js'

const wallClock = new SystemClock()

/** What a number of queries of one kind took, each of them for its first page. */
export interface QueryFigures {
  readonly what: string
  readonly taken: readonly Taken[]
  /** The share of pages with fewer than a hundred hits although more may follow. */
  readonly shortShare?: number
}

export interface DirectoryFigures {
  readonly loadSeconds: number
  /** Of the table and the index, as DynamoDB counts them: items, search items, and all of their entries in the index. */
  readonly storedBytes: number
  /** What the process holds more with them. */
  readonly memoryBytes: number
  readonly queries: readonly QueryFigures[]
}

export const LENGTHS = [2, 3, 5] as const
const QUERIES = 200
const CHECKED = 20
const PAGE = 100
const PROGRESS_ROWS = 10_000

const SETTLED_MILLISECONDS = 60_000
const LISTS = 20

/** Loads all contacts as one tenant's, and asks queries that were drawn from them. */
export async function measureQueries(
  count: number,
  texts: SearchedTexts,
  onProgress: (text: string) => void,
): Promise<DirectoryFigures> {
  const engine = new MeasuredEngine()
  const { clock, client } = engine
  const definition = contactDirectory('substring')
  let figures: DirectoryFigures | undefined
  await clock.run(async () => {
    await engine.create(directoryTable(definition))
    const acme = directory(client, definition, { clock, random: new SeededRandom(1) }).tenant('acme')
    for (const { id, name } of categories()) await acme.setTarget('category', id, name)
    const before = heldMemory()
    const began = wallClock.now()
    await acme.import(contactRows(count), {
      onProgress: ({ rows }) => {
        if (rows % PROGRESS_ROWS === 0) onProgress(`${rows} contacts imported`)
      },
    })
    const loadSeconds = (wallClock.now() - began) / 1_000
    const memoryBytes = heldMemory() - before
    // What the import has left to do is not part of the first page.
    await clock.sleep(SETTLED_MILLISECONDS)
    const { Table } = await client.send(new DescribeTableCommand({ TableName: definition.table }))
    const storedBytes =
      (Table?.TableSizeBytes ?? 0) + (Table?.GlobalSecondaryIndexes?.[0]?.IndexSizeBytes ?? 0)
    const lists: Taken[] = []
    for (let page = 0; page < LISTS; page++) lists.push(await engine.measure(() => acme.list()))
    const queries: QueryFigures[] = [{ what: 'newest 100, without a text', taken: lists }]
    for (const match of ['prefix', 'substring'] as const) {
      for (const length of LENGTHS) {
        const drawn = texts.queries(QUERIES, match, length)
        for (const query of drawn.slice(0, CHECKED)) await compare(acme, texts, query)
        const taken: Taken[] = []
        let short = 0
        for (const { text } of drawn) {
          const measured = await engine.measure(async () => {
            const { hits, more } = await acme.search(text, { match })
            if (more && hits.length < PAGE) short += 1
          })
          taken.push(measured)
        }
        queries.push({ what: `${match}, ${length} characters`, taken, shortShare: short / drawn.length })
        onProgress(`${match} of ${length} characters measured`)
      }
    }
    figures = { loadSeconds, storedBytes, memoryBytes, queries }
  })
  await engine.close()
  if (figures === undefined) throw new Error('The queries were not measured.')
  return figures
}

interface Contacts {
  search(
    text: string,
    options: { match: DrawnQuery['match']; in: ['name', 'company']; cursor?: string | undefined },
  ): Promise<{
    readonly hits: readonly { readonly item: { readonly id: string } }[]
    readonly cursor: string | undefined
  }>
}

/** @throws Error where a search does not find the newest contacts that match */
async function compare(acme: Contacts, texts: SearchedTexts, query: DrawnQuery): Promise<void> {
  const { text, match } = query
  const expected = texts.newest(query, PAGE).map((at) => `c${at}`)
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await acme.search(text, { match, cursor, in: ['name', 'company'] })
    found.push(...page.hits.map(({ item }) => item.id))
    cursor = page.cursor
  } while (cursor !== undefined && found.length < expected.length)
  if (found.slice(0, expected.length).join() !== expected.join())
    throw new Error(`A search for ${text} found ${found.length} contacts, and not the newest ones.`)
}
