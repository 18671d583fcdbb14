import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkStructure } from './check-structure.js'
import { newerHeader, type PagePlaces, pagePlaces, treePages, writeDataFile } from './lmdb-file.fixture.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-structure-'))
afterAll(() => rmSync(folder, { recursive: true }))

let intact: Buffer
let file = ''
let rows: readonly PagePlaces[]
beforeAll(async () => {
  file = await writeDataFile(folder)
  intact = readFileSync(file)
  rows = treePages(intact, 'rows')
})

/** Checks a copy of the file with damaged bytes. */
function damaged(damage: (bytes: Buffer) => void, checkedBytes?: number): string | undefined {
  const bytes = Buffer.from(intact)
  damage(bytes)
  const copy = join(folder, 'damaged.mdb')
  writeFileSync(copy, bytes)
  try {
    checkStructure(copy, checkedBytes)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const flip = (at: number, bit: number) => (bytes: Buffer) => {
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at)
}

/** A page of the rows. The first branch is the root. */
function page(kind: 'branch' | 'leaf', nth = 0): PagePlaces {
  return present(rows.filter((each) => each.kind === kind)[nth])
}

/** The first page of a value that lies on pages of its own, and its node. */
function bigValue(): { readonly node: number; readonly link: number; readonly page: number } {
  const leaves = rows.filter(({ kind }) => kind === 'leaf')
  const node = present(leaves.flatMap(({ nodes }) => nodes).find((at) => intact.readUInt16LE(at + 4) === 1))
  const link = node + 8 + intact.readUInt16LE(node + 6)
  return { node, link, page: intact.readUInt32LE(link) * intact.readUInt32LE(48) }
}

const olderHeader = () => (newerHeader(intact) === 0 ? intact.readUInt32LE(48) : 0)

/** Where the records of the list of free pages are. */
function freeRecords(): readonly number[] {
  return treePages(intact, 'freePages').flatMap(({ nodes }) => nodes.map((node) => node + 16))
}

/** Where the record of the list of free pages is that has most of them. */
function freeRecord(): number {
  return present(freeRecords().toSorted((one, two) => countAt(two) - countAt(one))[0])
}

const countAt = (record: number) => Number(intact.readBigInt64LE(record))

/** A node of a branch, and a free page that was the page below it before. */
function earlierPage(): { readonly node: number; readonly page: number } {
  const keyOf = ({ nodes: [node = 0] }: PagePlaces) => {
    return intact.toString('latin1', node + 8, node + 8 + intact.readUInt16LE(node + 6))
  }
  const free = freeRecords()
    .flatMap((at) => Array.from({ length: countAt(at) }, (_, each) => countAt(at + 8 * (each + 1))))
    .filter((number) => number > 0)
    .map((number) => pagePlaces(intact, number))
    .filter(({ kind }) => kind === 'leaf')
  const places = rows.filter(({ kind }) => kind === 'branch').flatMap(({ nodes }) => nodes)
  const found = places.flatMap((node) => {
    const below = pagePlaces(intact, intact.readUInt32LE(node))
    const same = free.find((each) => below.kind === 'leaf' && keyOf(each) === keyOf(below))
    return same === undefined ? [] : [{ node, page: same.number }]
  })
  return present(found[0])
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The file has no such part.')
  return value
}

it('finds an intact file intact', () => {
  expect(damaged(() => {})).toBeUndefined()
  expect(rows.filter(({ kind }) => kind === 'branch').length).toBeGreaterThan(3)
})

/** Each damage, how it is done to a copy, and how it is noticed. */
const DAMAGE: readonly (readonly [what: string, damage: () => (bytes: Buffer) => void, noticed: string])[] = [
  [
    'a key of a branch is beyond its neighbours',
    () => flip(present(page('branch').nodes[1]) + 8, 1),
    'out of order',
  ],
  [
    'a key of a branch is beyond keys of a leaf',
    () => flip(present(page('branch', 1).nodes[1]) + 11, 0),
    'out of order',
  ],
  [
    'a place on a leaf leads to another row',
    () => (bytes) => bytes.copy(bytes, page('leaf').at + 26, page('leaf').at + 24, page('leaf').at + 26),
    'out of order',
  ],
  ['a key has another length', () => flip(present(page('leaf').nodes[1]) + 6, 2), 'nodes of other sizes'],
  ['a value has another length', () => flip(present(page('leaf').nodes[0]) + 0, 2), 'nodes of other sizes'],
  [
    'a value lies outside of its page',
    () => flip(present(page('leaf').nodes[0]) + 2, 6),
    'outside of its bounds',
  ],
  [
    'a branch leads to a page of an earlier transaction',
    () => (bytes) => bytes.writeUInt32LE(earlierPage().page, earlierPage().node),
    'has two uses',
  ],
  [
    'a page in use is listed as free',
    () => (bytes) => bytes.writeBigInt64LE(BigInt(page('leaf').number), freeRecord() + 8),
    'has two uses',
  ],
  ['the list of free pages is too long', () => flip(freeRecord() + 1, 0), 'longer than the space'],
  ['a free page is outside of the file', () => flip(freeRecord() + 8 + 2, 0), 'outside of it'],
  [
    'the older header looks newer',
    () => (bytes) =>
      bytes.writeUInt32LE(intact.readUInt32LE(newerHeader(intact) + 152) + 1, olderHeader() + 152),
    'not of its newest transaction',
  ],
  ['the older header is another kind of page', () => flip(olderHeader() + 18, 3), 'lost its header'],
  ['the older header says that it is encrypted', () => flip(olderHeader() + 53, 5), 'is encrypted'],
  ['a page is of a future transaction', () => flip(page('leaf').at + 10, 0), 'may be of'],
  ['a page would never be written', () => flip(page('leaf').at + 19, 6), 'is not the leaf page'],
  ['a value frees other pages than its own', () => flip(bigValue().page + 20, 3), 'another number of pages'],
  ['a value is of a future transaction', () => flip(bigValue().link + 10, 0), 'may be of'],
  ['keys are compared backwards', () => flip(newerHeader(intact) + 100, 1), 'another order'],
  ['a page more than the file has is counted', () => flip(newerHeader(intact) + 145, 2), 'ends before'],
  ['a row more is counted', () => flip(newerHeader(intact) + 128, 0), 'rows, and counts'],
  ['a leaf more is counted', () => flip(newerHeader(intact) + 112, 0), 'leaf pages, and counts'],
]

describe('the structure of a data file is damaged when', () => {
  it.each(DAMAGE)('%s', (_, damage, noticed) => {
    expect(damaged(damage())).toContain(noticed)
  })
})

it('reads only the branches of a larger file', () => {
  expect(damaged(flip(page('leaf').at, 0), 0)).toBeUndefined()
  expect(damaged(flip(present(page('branch').nodes[1]) + 8, 1), 0)).toContain('out of order')
})
