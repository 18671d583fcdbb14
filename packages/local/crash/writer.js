// A process with a durable store under load, which a test kills. It prints what was acknowledged: a line `writer count`
// for each write.
//
// Every write consists of several changes that belong together, like an item, its index entry and its stream record:
// the item counts, the index entry moves with the count, the stream gains a record and loses an old one, and a record
// stores the count too.
import { writeSync } from 'node:fs'
import { LmdbStorage } from '../dist/storage/lmdb/lmdb-storage.js'

const [directory, writers, streamLength] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])]
const LONG = 'k'.repeat(3_000)

const storage = new LmdbStorage(directory)
const items = storage.open('items')
const stored = (count) => ({ item: { count: { N: String(count) } }, bytes: 5 + String(count).length })
const place = (writer, count) => `${LONG}${String(writer).padStart(3, '0')}/${String(count).padStart(9, '0')}`

async function load(writer) {
  const key = `${writer}`
  let before = items.latest(key)
  let count = before === undefined ? 0 : Number(before.item.count.N)
  for (;;) {
    count += 1
    const after = stored(count)
    const changes = [
      { keyspace: 'items', key, before, after },
      { keyspace: 'index', key: place(writer, count), before: undefined, after },
      { keyspace: 'stream', key: place(writer, count), before: undefined, after },
    ]
    if (before !== undefined) {
      changes.push({ keyspace: 'index', key: place(writer, count - 1), before, after: undefined })
    }
    if (count > streamLength) {
      const oldest = count - streamLength
      changes.push({
        keyspace: 'stream',
        key: place(writer, oldest),
        before: stored(oldest),
        after: undefined,
      })
    }
    await storage.write(changes, [{ name: `last/${writer}`, value: count }])
    writeSync(1, `${writer} ${count}\n`)
    before = after
  }
}

// The parent process may end before it kills this one.
process.stdin.on('end', () => process.exit()).resume()
for (let writer = 0; writer < writers; writer++) void load(writer)
