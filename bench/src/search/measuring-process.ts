import { contactRows } from './contact-rows.js'
import { measurePeers } from './measure-peers.js'
import { measureQueries } from './measure-queries.js'
import { measureScans } from './measure-scans.js'
import { measureWrites } from './measure-writes.js'
import { searchTables } from './search-tables.js'
import { SearchedTexts } from './searched-texts.js'

// A process of its own, which Node gives a heap for all the items. It prints the tables, and its progress to standard error.

const contacts = Number(process.argv[2])
const texts = new SearchedTexts()
for (const row of contactRows(contacts)) texts.add(row)
const onProgress = (text: string) => console.error(text)
const writes = [await measureWrites('prefix'), await measureWrites('substring')]
console.error(searchTables({ contacts, writes, directory: undefined, scans: [], peers: [] }))
const directory = await measureQueries(contacts, texts, onProgress)
console.error(searchTables({ contacts, writes, directory, scans: [], peers: [] }))
const scans = await measureScans(contacts, texts, onProgress)
const peers = await measurePeers(contacts, texts)
console.log(searchTables({ contacts, writes, directory, scans, peers }))
