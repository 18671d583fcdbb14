import { expect, it } from 'vitest'
import { contactRows } from './contact-rows.js'
import { measurePeers } from './measure-peers.js'
import { measureQueries } from './measure-queries.js'
import { measureScans } from './measure-scans.js'
import { percentile } from './percentile.js'
import { searchTables } from './search-tables.js'
import { SearchedTexts } from './searched-texts.js'

const CONTACTS = 3_000

it('pages keep to their bounds, find what a look at all contacts finds, and so do the peers', async () => {
  const texts = new SearchedTexts()
  for (const row of contactRows(CONTACTS)) texts.add(row)
  const directory = await measureQueries(CONTACTS, texts, () => {})
  for (const { what, taken } of directory.queries) {
    const most = (name: 'inSequence' | 'readUnits') =>
      percentile(
        taken.map((one) => one[name]),
        0.99,
      )
    const [steps, units] = boundsOf(what)
    expect([what, most('inSequence') <= steps, most('readUnits') <= units]).toEqual([what, true, true])
  }
  const scans = await measureScans(CONTACTS, texts, () => {})
  const peers = await measurePeers(CONTACTS, texts)
  const tables = searchTables({ contacts: CONTACTS, writes: [], directory, scans, peers })
  expect(tables).toContain('| substring, 5 characters |')
  expect(tables).toContain('FTS5 trigram')
  for (const { name, indexBytes, memoryBytes } of peers) {
    // How much memory a process has besides depends on what was collected before.
    expect([name, indexBytes > 100_000, Number.isFinite(memoryBytes)]).toEqual([name, true, true])
  }
  expect(directory.storedBytes / CONTACTS).toBeGreaterThan(1_000)
  expect(tables).toContain('whole tenant takes')
}, 600_000)

/** Requests in sequence and read units of a page. Substrings of two letters have no parts: the list of all items is filtered. */
function boundsOf(what: string): readonly [steps: number, units: number] {
  if (what.startsWith('substring, 2')) return [4, 165]
  return what.startsWith('substring') ? [4, 100] : [3, 60]
}
