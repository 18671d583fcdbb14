import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { EncodedKey } from '../../keyspace/encoded-key.js'
import { MemoryStorage } from '../memory-storage.js'
import type { Change, StoredItem } from '../ordered-map.js'
import { describeStorage } from '../storage.behaviour.js'
import { Database } from './database.js'
import { LmdbStorage } from './lmdb-storage.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-lmdb-'))
afterAll(() => rmSync(folder, { recursive: true }))

let directories = 0
const newDirectory = () => join(folder, String(directories++))

const key = (text: string) => text as EncodedKey
const item = (text: string): StoredItem => ({ item: { pk: { S: text } }, bytes: text.length })
const put = (name: string, text: string, before?: StoredItem): Change => ({
  keyspace: 't',
  key: key(name),
  before,
  after: item(text),
})

describeStorage('the store on disk', () => new LmdbStorage(newDirectory()))
describeStorage('the store on disk, with rows that hold two bytes of a key', () => {
  return new LmdbStorage(newDirectory(), { sliceBytes: 2 })
})

describe('the store on disk', () => {
  it('holds everything that was written before it is reopened', async () => {
    const directory = newDirectory()
    const first = new LmdbStorage(directory)
    await first.write([put('a', '1'), put('b', '22')], [{ name: 'r', value: { x: 1 } }])
    await first.write([{ keyspace: 't', key: key('a'), before: item('1'), after: undefined }])
    await first.write([{ keyspace: 'u', key: key('a'), before: undefined, after: item('4444') }])
    await first.drop(['u'])
    await first.close()
    const second = new LmdbStorage(directory)
    const map = second.open('t')
    expect([...map.range({ from: key(''), to: undefined })]).toEqual([['b', item('22')]])
    expect([map.size, map.bytes]).toEqual([1, 2])
    expect([second.open('u').size, second.open('u').get(key('a'))]).toEqual([0, undefined])
    expect([...second.records()]).toEqual([['r', { x: 1 }]])
    await second.close()
  })

  it('hides a write from readers until it is durable', async () => {
    const storage = new LmdbStorage(newDirectory())
    const map = storage.open('t')
    const written = storage.write([put('a', '1')])
    expect([map.latest(key('a')), map.get(key('a'))]).toEqual([item('1'), undefined])
    expect(storage.settled()).toBeInstanceOf(Promise)
    await written
    expect(map.get(key('a'))).toEqual(item('1'))
    expect(storage.settled()).toBeUndefined()
    await storage.close()
  })

  it('accepts a write on top of an earlier one without waiting for the disk', async () => {
    const storage = new LmdbStorage(newDirectory())
    const map = storage.open('t')
    const writes = Array.from({ length: 1_000 }, (_, index) => {
      const before = map.latest(key('counter'))
      return storage.write([put('counter', `${Number(before === undefined ? 0 : index)}`, before)])
    })
    await Promise.all(writes)
    expect(map.get(key('counter'))).toEqual(item('999'))
    expect([map.size, map.bytes]).toEqual([1, 3])
    await storage.close()
  })

  it('recreates a keyspace without the content of the dropped one', async () => {
    const directory = newDirectory()
    const storage = new LmdbStorage(directory)
    await storage.write([put('a', '1'), put('b', '2')])
    const dropped = storage.drop(['t'])
    const made = storage.write([put('b', '3')])
    expect(storage.open('t').latest(key('a'))).toBeUndefined()
    await Promise.all([dropped, made])
    expect([...storage.open('t').range({ from: key(''), to: undefined })]).toEqual([['b', item('3')]])
    expect(storage.open('t').size).toBe(1)
    await storage.close()
  })

  it('can be read while there are views of many moments', async () => {
    const storage = new LmdbStorage(newDirectory())
    const views = []
    for (let moment = 1; moment <= 150; moment++) {
      await storage.write([put(`${moment}`, 'x')])
      views.push(storage.view('t'))
    }
    expect(views.map(({ size }) => size)).toEqual(Array.from(views, (_, at) => at + 1))
    expect(storage.open('t').get(key('1'))).toEqual(item('x'))
    await storage.close()
  })

  it('has the content of a keyspace again when it was dropped twice in a commit that failed', async () => {
    const storage = new LmdbStorage(newDirectory())
    await storage.write([put('a', '1')])
    vi.spyOn(Database.prototype, 'commit').mockRejectedValueOnce(new Error('as if the disk were full'))
    const failed = [storage.drop(['t']), storage.write([put('a', '2')]), storage.drop(['t'])]
    for (const { status } of await Promise.allSettled(failed)) expect(status).toBe('rejected')
    expect(storage.open('t').latest(key('a'))).toEqual(item('1'))
    await storage.write([put('b', '3')])
    expect([...storage.open('t').range({ from: key(''), to: undefined })]).toEqual([
      ['a', item('1')],
      ['b', item('3')],
    ])
    await storage.close()
  })

  it('accepts writes beside damaged rows of a dropped keyspace, and reports the damage once', async () => {
    const directory = newDirectory()
    const first = new LmdbStorage(directory)
    await first.write([{ ...put('kept', 'kept'), keyspace: 'kept' }])
    await first.write(
      Array.from({ length: 2_000 }, (_, at) => put(String(at).padStart(4, '0'), `text of ${at}.`)),
    )
    // Closing ends the removal of the rows, which is shared by later commits.
    void first.drop(['t'])
    await first.close()
    const file = join(directory, 'items.mdb')
    const bytes = readFileSync(file)
    bytes.write('X', bytes.lastIndexOf('text of 1500.'))
    writeFileSync(file, bytes)

    const failures: unknown[] = []
    const second = new LmdbStorage(directory, { onFailure: (error) => failures.push(error) })
    for (const text of ['1', '2', '3'])
      await second.write([put('new', text, second.open('t').latest(key('new')))])
    expect(second.open('t').get(key('new'))).toEqual(item('3'))
    expect(second.open('kept').get(key('kept'))).toEqual(item('kept'))
    await second.close()
    expect(failures).toEqual([expect.objectContaining({ code: 'storage.damaged' })])
    expect(second.failures).toBe(0)
  })

  it('agrees with the store in memory on keys as long as DynamoDB allows', async () => {
    const long = fc
      .array(
        fc.record({
          piece: fc.constantFrom('a', 'b', '\u0000', '\u0001', '\u0002', '\u00ff'),
          times: fc.constantFrom(1, 2, 970, 1_000, 1_970, 1_971, 1_972, 4_100),
        }),
        { maxLength: 3 },
      )
      .map((pieces) => key(pieces.map(({ piece, times }) => piece.repeat(times)).join('')))
    const change = fc.record({ key: long, text: fc.option(fc.string(), { nil: undefined }) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 30 }),
        fc.array(fc.tuple(long, long, fc.boolean()), { minLength: 5, maxLength: 5 }),
        async (changes, ranges) => {
          const memory = new MemoryStorage()
          const storage = new LmdbStorage(newDirectory())
          const written = changes.map(({ key, text }, index) => {
            const before = memory.open('t').latest(key)
            expect(storage.open('t').latest(key)).toEqual(before)
            const change = { keyspace: 't', key, before, after: text === undefined ? undefined : item(text) }
            memory.write([change])
            const durable = storage.write([change])
            return index % 7 === 0 ? durable : undefined
          })
          for (const each of written) await each
          await storage.settled()
          const entries = (
            store: MemoryStorage | LmdbStorage,
            from: EncodedKey,
            to: EncodedKey | undefined,
            reverse: boolean,
          ) => [...store.open('t').range({ from, to }, reverse)].map(([each, stored]) => [each, stored])
          for (const [a, b, reverse] of ranges) {
            const [from, to] = a < b ? [a, b] : [b, a]
            for (const end of [to, undefined]) {
              expect(entries(storage, from, end, reverse)).toEqual(entries(memory, from, end, reverse))
            }
          }
          await storage.close()
        },
      ),
      { numRuns: 60 },
    )
  })
})
