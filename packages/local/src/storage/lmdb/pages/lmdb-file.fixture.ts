import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Database } from '../database.js'
import { readNumber } from './page.js'

const HEADER_BYTES = 24

/** Keys are so long that few fit into a page, which makes a deep tree of few rows. */
export const keyNumber = (number: number) => `${String(number).padStart(4, '0')}${'-'.repeat(700)}`

/**
 * Writes a data file of a hundred rows, some of which lie on pages of their own. Pages of earlier transactions are free.
 * @returns the name of the file.
 */
export async function writeDataFile(directory: string): Promise<string> {
  mkdirSync(directory, { recursive: true })
  const file = join(directory, 'items.mdb')
  const database = new Database(file)
  for (let round = 0; round < 3; round++) {
    for (let first = 0; first < 100; first += 25) {
      const rows = Array.from({ length: 25 }, (_, each) => {
        const number = first + each
        return [keyNumber(number), Buffer.alloc(number % 20 === 7 ? 9_000 : 40, round)] as const
      })
      await database.commit(new Map(rows))
    }
  }
  await database.commit(new Map([[keyNumber(60), undefined]]))
  await database.commit(new Map([[keyNumber(50), Buffer.alloc(40, 9)]]))
  await database.close()
  return file
}

/** Where the parts of a page are in its file. Only branches and leaves have nodes. */
export interface PagePlaces {
  readonly at: number
  readonly number: number
  readonly kind: 'branch' | 'leaf' | 'other'
  /** Where the nodes are, in the order of their keys. */
  readonly nodes: readonly number[]
}

/** The pages of a tree, those above before those below. */
export function treePages(bytes: Buffer, tree: 'rows' | 'freePages'): readonly PagePlaces[] {
  const header = newerHeader(bytes)
  const pages: PagePlaces[] = []
  const visit = (number: number) => {
    const page = pagePlaces(bytes, number)
    pages.push(page)
    if (page.kind !== 'branch') return
    for (const node of page.nodes) visit(bytes.readUInt32LE(node))
  }
  visit(readNumber(bytes, header + (tree === 'rows' ? 136 : 88)))
  return pages
}

/** Where the header of the newest transaction is. */
export function newerHeader(bytes: Buffer): number {
  const pageBytes = bytes.readUInt32LE(48)
  return readNumber(bytes, 152) > readNumber(bytes, pageBytes + 152) ? 0 : pageBytes
}

export function pagePlaces(bytes: Buffer, number: number): PagePlaces {
  const at = number * bytes.readUInt32LE(48)
  const flags = bytes.readUInt16LE(at + 18)
  const kind = flags === 1 ? 'branch' : flags === 2 ? 'leaf' : 'other'
  const count = kind === 'other' ? 0 : bytes.readUInt16LE(at + 20) / 2
  const nodes = Array.from({ length: count }, (_, node) => {
    return at + HEADER_BYTES + bytes.readUInt16LE(at + HEADER_BYTES + 2 * node)
  })
  return { at, number, kind, nodes }
}
