import { SystemClock } from '@isotherm/runtime'
import { companyName, plainText } from 'isotherm/search'
import MiniSearch from 'minisearch'
import type { ContactRow } from './contact-rows.js'
import { heldMemory } from './held-memory.js'
import type { Peer } from './peer.js'

const wallClock = new SystemClock()

/** MiniSearch in this process, with pairs of characters as its terms: it has no search by parts of words, and no words of Japanese. */
export function miniSearchPeer(rows: Iterable<ContactRow>): Peer {
  const before = heldMemory()
  const texts: (readonly [string, string])[] = []
  const index = new MiniSearch<{ readonly id: number; readonly name: string; readonly company: string }>({
    fields: ['name', 'company'],
    tokenize: pairsOf,
    processTerm: (term) => term,
    searchOptions: { combineWith: 'AND' },
  })
  const began = wallClock.now()
  let at = 0
  for (const { fields } of rows) {
    const [name, company] = [plainText(fields.name), companyName(fields.company)]
    texts.push([name, company])
    index.add({ id: at, name, company })
    at += 1
  }
  const loadSeconds = (wallClock.now() - began) / 1_000
  const memoryBytes = heldMemory() - before
  return {
    name: 'MiniSearch 7, pairs of characters, in memory',
    loadSeconds,
    // As it is written to a file.
    indexBytes: Buffer.byteLength(JSON.stringify(index)),
    memoryBytes,
    search: async ({ text }) =>
      index
        .search(text)
        .map(({ id }) => Number(id))
        .filter((id) => texts[id]?.some((one) => one.includes(text)))
        .sort((one, other) => other - one)
        .slice(0, 100),
    close: () => index.removeAll(),
  }
}

function pairsOf(text: string): string[] {
  const characters = Array.from(text)
  return [...new Set(characters.slice(1).map((character, at) => `${characters[at]}${character}`))]
}
