import { SystemClock } from '@isotherm/runtime'
import sqlite from '@sqlite.org/sqlite-wasm'
import { companyName, plainText } from 'isotherm/search'
import type { ContactRow } from './contact-rows.js'
import { heldMemory } from './held-memory.js'
import type { Peer } from './peer.js'

const wallClock = new SystemClock()

/** SQLite with a full-text index of trigrams, in memory: what a database beside the table would give. */
export async function sqlitePeer(rows: Iterable<ContactRow>): Promise<Peer> {
  const before = heldMemory()
  const { oo1, version } = await sqlite()
  const db = new oo1.DB(':memory:')
  db.exec('CREATE TABLE contact(at INTEGER PRIMARY KEY, id TEXT, name TEXT, company TEXT, phone TEXT)')
  db.exec("CREATE VIRTUAL TABLE texts USING fts5(name, company, content='', tokenize='trigram')")
  const contact = db.prepare('INSERT INTO contact VALUES (?, ?, ?, ?, ?)')
  const texts = db.prepare('INSERT INTO texts(rowid, name, company) VALUES (?, ?, ?)')
  const began = wallClock.now()
  db.exec('BEGIN')
  let at = 0
  for (const { id, fields } of rows) {
    const { name, company, phone } = fields
    contact.bind([at, id, name, company, phone]).stepReset()
    texts.bind([at, plainText(name), companyName(company)]).stepReset()
    at += 1
  }
  db.exec('COMMIT')
  const loadSeconds = (wallClock.now() - began) / 1_000
  contact.finalize()
  texts.finalize()
  const bytesOf = (name: string) => Number(db.selectValue(`PRAGMA ${name}`))
  const matching = `SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rowid DESC LIMIT 100`
  const scanning = 'SELECT at FROM contact WHERE name LIKE ? OR company LIKE ? ORDER BY at DESC LIMIT 100'
  return {
    name: `SQLite ${version.libVersion}, FTS5 trigram, in memory`,
    loadSeconds,
    indexBytes: bytesOf('page_count') * bytesOf('page_size'),
    memoryBytes: heldMemory() - before,
    // Trigrams cannot answer two characters: SQLite then compares every row, as they are written.
    search: async ({ text }) =>
      Array.from(text).length < 3
        ? db.selectValues(scanning, [`%${text}%`, `%${text}%`]).map(Number)
        : db.selectValues(matching, [`"${text.replaceAll('"', '""')}"`]).map(Number),
    close: () => db.close(),
  }
}
