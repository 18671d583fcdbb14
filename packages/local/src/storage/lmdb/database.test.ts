import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Database } from './database.js'
import { keyNumber, type PagePlaces, treePages, writeDataFile } from './pages/lmdb-file.fixture.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-database-'))
afterAll(() => rmSync(folder, { recursive: true }))

let intact: Buffer
beforeAll(async () => {
  intact = readFileSync(await writeDataFile(join(folder, 'intact')))
})

let copies = 0

/** Opens a damaged copy without the check of its structure, as of a file that is too large for it. */
async function withDamage(
  damage: (bytes: Buffer) => void,
  read: (database: Database) => void,
): Promise<void> {
  const directory = join(folder, String(copies++))
  mkdirSync(directory)
  const bytes = Buffer.from(intact)
  damage(bytes)
  const file = join(directory, 'items.mdb')
  writeFileSync(file, bytes)
  const database = new Database(file)
  try {
    read(database)
  } finally {
    await database.close()
  }
}

/** The key of a node of a branch above leaves, and the number of the row that has this key. */
function separator(nth: number): { readonly at: number; readonly row: number } {
  const branch = treePages(intact, 'rows').findLast(({ kind }) => kind === 'branch')
  const at = branch?.nodes.at(nth)
  if (at === undefined) throw new Error('The branch has no such node.')
  return { at: at + 8, row: Number(intact.toString('latin1', at + 8, at + 12)) }
}

const BEFORE_ALL = '\0'
const BEHIND_ALL = '\u00ff'

it('notices that a range begins at a row before it, because a key above was damaged', async () => {
  const { at, row } = separator(-1)
  await withDamage(
    (bytes) => bytes.write('z', at),
    (database) => expect(() => [...database.range(keyNumber(row + 1), BEHIND_ALL)]).toThrow('is damaged'),
  )
})

it('notices that a descending range begins at a row behind it, because a key above was damaged', async () => {
  const { at, row } = separator(1)
  await withDamage(
    (bytes) => bytes.write('\0', at, 'latin1'),
    (database) =>
      expect(() => [...database.range(BEFORE_ALL, keyNumber(row - 2), true)]).toThrow('is damaged'),
  )
})

it('notices that a row is missing because its key has another length, and its value no checksum', async () => {
  const key = keyNumber(10)
  const leaf = (page: PagePlaces) => page.kind === 'leaf'
  const node = treePages(intact, 'rows')
    .filter(leaf)
    .flatMap(({ nodes }) => nodes)
    .find((at) => intact.toString('latin1', at + 8, at + 8 + key.length) === key)
  if (node === undefined) throw new Error('The row is missing.')
  await withDamage(
    (bytes) => bytes.writeUInt16LE(key.length - 64, node + 6),
    (database) => expect(() => database.get(key)).toThrow('does not match its checksum'),
  )
})

it('returns rows of every size that later reads do not change', async () => {
  const database = new Database(join(folder, 'sizes.mdb'))
  try {
    // A page has 4 KB, and the memory that reads share grows with the longest value.
    const sizes = [0, 1, 1_000, 4_000, 5_000, 70_000, 1_000_000, 2]
    const values = sizes.map((size, at) => Buffer.alloc(size, at + 1))
    await database.commit(new Map(values.map((value, at) => [`key ${at}`, value])))
    const got = values.map((_, at) => database.get(`key ${at}`))
    const { rows, close } = database.view()
    const viewed = values.map((_, at) => rows.get(`key ${at}`))
    const listed = [...database.range(BEFORE_ALL, BEHIND_ALL)].map(({ value }) => value)
    close()
    for (const read of [got, viewed, listed])
      expect(read.map((value, at) => value?.equals(values[at] ?? Buffer.alloc(0)))).toEqual(
        values.map(() => true),
      )
  } finally {
    await database.close()
  }
})
