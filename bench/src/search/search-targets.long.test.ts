import { expect, it } from 'vitest'
import { contactRows } from './contact-rows.js'
import { measurePeers } from './measure-peers.js'
import { measureQueries } from './measure-queries.js'
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
    const isPrefix = what.startsWith('prefix') || what.startsWith('newest')
    expect([
      what,
      most('inSequence') <= (isPrefix ? 3 : 4),
      most('readUnits') <= (isPrefix ? 60 : 130),
    ]).toEqual([what, true, true])
  }
  const peers = await measurePeers(CONTACTS, texts)
  const tables = searchTables({ contacts: CONTACTS, writes: [], directory, peers })
  expect(tables).toContain('| substring, 5 characters |')
  expect(tables).toContain('FTS5 trigram')
}, 600_000)
