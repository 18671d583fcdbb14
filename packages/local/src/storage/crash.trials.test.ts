import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SeededRandom } from '@isotherm/runtime'
import { afterAll, describe, expect, inject, it } from 'vitest'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { linesUntilKilled } from './killed-child.fixture.js'
import { LmdbStorage } from './lmdb/lmdb-storage.js'
import type { StoredItem } from './ordered-map.js'

const ROUNDS = inject('trials') === 'many' ? 15 : 3
const WRITERS = 64
const STREAM_LENGTH = 20

/** The compiled store, run in a separate process. */
const writer = fileURLToPath(new URL('../../crash/writer.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'isotherm-crash-'))
afterAll(() => rmSync(folder, { recursive: true }))

/**
 * Loads the store, kills it some milliseconds after a number of acknowledgements, and returns each writer's last
 * acknowledged count.
 */
async function crash(directory: string, acknowledgements: number, moreMilliseconds: number) {
  const printed = await linesUntilKilled(
    [writer, directory, String(WRITERS), String(STREAM_LENGTH)],
    acknowledgements,
    moreMilliseconds,
  )
  const last = new Map<number, number>()
  for (const line of printed) {
    const [name, count] = line.split(' ').map(Number)
    if (name !== undefined && count !== undefined) last.set(name, count)
  }
  return last
}

const countOf = (stored: StoredItem | undefined): number => {
  const value = stored?.item.count
  return value !== undefined && 'N' in value ? Number(value.N) : 0
}

/** The counts that a keyspace holds, by writer. Also checks the keyspace's size and bytes. */
function countsIn(storage: LmdbStorage, keyspace: string): Map<number, number[]> {
  const map = storage.open(keyspace)
  const counts = new Map<number, number[]>()
  let [size, bytes] = [0, 0]
  for (const [key, stored] of map.range({ from: '' as EncodedKey, to: undefined })) {
    const [name = '', place] = key.replaceAll('k', '').split('/')
    const count = countOf(stored)
    if (place !== undefined) expect(Number(place)).toBe(count)
    counts.set(Number(name), [...(counts.get(Number(name)) ?? []), count])
    size++
    bytes += stored.bytes
  }
  expect([map.size, map.bytes]).toEqual([size, bytes])
  return counts
}

describe('a store that is killed under load', () => {
  it(`loses no acknowledged write and never stores half a write, ${ROUNDS} times`, async () => {
    const seed = inject('seed')
    const random = new SeededRandom(seed)
    const directory = join(folder, 'data')
    let acknowledged = 0
    for (let round = 0; round < ROUNDS; round++) {
      const last = await crash(directory, Math.floor(random.next() * 2_000), random.next() * 20)
      acknowledged += last.size
      const storage = new LmdbStorage(directory)
      const [items, index, stream] = ['items', 'index', 'stream'].map((name) => countsIn(storage, name))
      const records = new Map(storage.records())
      for (let name = 0; name < WRITERS; name++) {
        const where = `seed ${seed}, round ${round}, writer ${name}`
        const [count = 0] = items?.get(name) ?? []
        expect(count, where).toBeGreaterThanOrEqual(last.get(name) ?? 0)
        if (count === 0) continue
        expect(index?.get(name), where).toEqual([count])
        const kept = Math.min(count, STREAM_LENGTH)
        expect(stream?.get(name), where).toEqual(
          Array.from({ length: kept }, (_, each) => count - kept + 1 + each),
        )
        expect(records.get(`last/${name}`), where).toBe(count)
      }
      await storage.close()
    }
    expect(acknowledged).toBeGreaterThan(ROUNDS)
  }, 180_000)
})
