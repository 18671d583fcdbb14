import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { EncodedKey } from '../../keyspace/encoded-key.js'
import { MemoryStorage } from '../memory-storage.js'
import type { Change, StoredItem } from '../ordered-map.js'
import { describeStorage, plain, plainEntries } from '../storage.behaviour.js'
import { Database } from './database.js'
import type { LmdbMap } from './lmdb-map.js'
import { LmdbStorage } from './lmdb-storage.js'
import type { KeyspaceRow } from './system-rows.js'

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
    expect(plainEntries(map.range({ from: key(''), to: undefined }))).toEqual([['b', item('22')]])
    expect([map.size, map.bytes]).toEqual([1, 2])
    expect([second.open('u').size, second.open('u').get(key('a'))]).toEqual([0, undefined])
    expect([...second.records()]).toEqual([['r', { x: 1 }]])
    await second.close()
  })

  it('hides a write from readers until it is durable', async () => {
    const storage = new LmdbStorage(newDirectory())
    const map = storage.open('t')
    const written = storage.write([put('a', '1')])
    expect([map.latest(key('a')), map.get(key('a'))].map(plain)).toEqual([item('1'), undefined])
    expect(storage.settled()).toBeInstanceOf(Promise)
    await written
    expect(plain(map.get(key('a')))).toEqual(item('1'))
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
    expect(plain(map.get(key('counter')))).toEqual(item('999'))
    expect([map.size, map.bytes]).toEqual([1, 3])
    await storage.close()
  })

  it('encodes the items of a large commit over turns of the event loop, while more is written and dropped', async () => {
    const directory = newDirectory()
    const storage = new LmdbStorage(directory)
    let turn = 0
    const turns = new Set<number>()
    const large = (keyspace: string, name: string): Change => {
      const text = { toJSON: () => turns.add(turn) && 'text' } as unknown as string
      return {
        keyspace,
        key: key(name),
        before: undefined,
        after: { item: { pk: { S: text } }, bytes: 300_000 },
      }
    }
    const written = [
      ...Array.from({ length: 20 }, (_, number) => large('t', `large-${number}`)),
      large('dropped', 'a'),
    ].map((change) => storage.write([change]))
    for (; turns.size < 5 && turn < 1_000; turn++) await new Promise(setImmediate)
    expect(storage.open('t').size).toBe(20)
    written.push(storage.write([put('small', '1')]), storage.drop(['dropped']))
    const map = storage.open('t') as LmdbMap
    let first: KeyspaceRow | undefined
    void written[0]?.then(() => {
      first = map.durable
    })
    for (; first === undefined; turn++) await new Promise(setImmediate)
    // The next commit has the writes of the meantime.
    expect(first).toMatchObject({ size: 20, bytes: 20 * 300_000 })
    expect(turns.size).toBe(21)
    await Promise.all(written)
    await storage.close()
    const again = new LmdbStorage(directory)
    const reopened = again.open('t')
    expect([reopened.size, reopened.bytes]).toEqual([21, 20 * 300_000 + 1])
    expect(plain(reopened.get(key('large-7')))).toEqual({ item: { pk: { S: 'text' } }, bytes: 300_000 })
    expect(again.open('dropped').size).toBe(0)
    await again.close()
  })

  it('recreates a keyspace without the content of the dropped one', async () => {
    const directory = newDirectory()
    const storage = new LmdbStorage(directory)
    await storage.write([put('a', '1'), put('b', '2')])
    const dropped = storage.drop(['t'])
    const made = storage.write([put('b', '3')])
    expect(storage.open('t').latest(key('a'))).toBeUndefined()
    await Promise.all([dropped, made])
    expect(plainEntries(storage.open('t').range({ from: key(''), to: undefined }))).toEqual([
      ['b', item('3')],
    ])
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
    expect(plain(storage.open('t').get(key('1')))).toEqual(item('x'))
    await storage.close()
  })

  it('has the content of a keyspace again when it was dropped twice in a commit that failed', async () => {
    const storage = new LmdbStorage(newDirectory())
    await storage.write([put('a', '1')])
    vi.spyOn(Database.prototype, 'commit').mockRejectedValueOnce(new Error('as if the disk were full'))
    const failed = [storage.drop(['t']), storage.write([put('a', '2')]), storage.drop(['t'])]
    for (const { status } of await Promise.allSettled(failed)) expect(status).toBe('rejected')
    expect(plain(storage.open('t').latest(key('a')))).toEqual(item('1'))
    await storage.write([put('b', '3')])
    expect(plainEntries(storage.open('t').range({ from: key(''), to: undefined }))).toEqual([
      ['a', item('1')],
      ['b', item('3')],
    ])
    await storage.close()
  })

  it('accepts writes on a nearly full disk while rows of a dropped keyspace are removed, a few at once', async () => {
    const directory = newDirectory()
    const first = new LmdbStorage(directory)
    await first.write(
      Array.from({ length: 1_000 }, (_, at) => put(String(at).padStart(4, '0'), 'x'.repeat(500))),
    )
    await first.close()
    // Beside the reserve, there is room for the pages of 20 rows.
    const maxFileBytes = statSync(join(directory, 'items.mdb')).size + 1024 * 1024 + 20 * 16 * 1024
    const failures: unknown[] = []
    const second = new LmdbStorage(directory, { maxFileBytes, onFailure: (error) => failures.push(error) })
    const commit = vi.spyOn(Database.prototype, 'commit')
    await second.drop(['t'])
    for (let at = 0; at < 10; at++) {
      const before = second.open('kept').latest(key('new'))
      await second.write([{ ...put('new', String(at), before), keyspace: 'kept' }])
    }
    const removals = () =>
      commit.mock.calls.map(([rows]) => [...rows.values()].filter((row) => row === undefined).length)
    await vi.waitFor(() => expect(removals().reduce((sum, each) => sum + each, 0)).toBeGreaterThan(1_000))
    await second.close()
    expect(Math.max(...removals())).toBeLessThan(25)
    expect(failures).toEqual([])
    commit.mockRestore()
  })

  it('waits with the removal of rows for space, without a failure', async () => {
    const directory = newDirectory()
    const first = new LmdbStorage(directory)
    await first.write([put('a', '1'), put('b', '2')])
    void first.drop(['t'])
    await first.close()
    const { size } = statSync(join(directory, 'items.mdb'))
    const commit = vi.spyOn(Database.prototype, 'commit')
    const failures: unknown[] = []
    const onFailure = (error: unknown) => failures.push(error)
    const tight = new LmdbStorage(directory, { maxFileBytes: size + 1024 * 1024, onFailure })
    await new Promise(setImmediate)
    await tight.close()
    expect([failures, commit.mock.calls]).toEqual([[], []])
    const roomy = new LmdbStorage(directory, { onFailure })
    await vi.waitFor(() => expect(commit).toHaveBeenCalled())
    await roomy.close()
    commit.mockRestore()
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
    expect(plain(second.open('t').get(key('new')))).toEqual(item('3'))
    expect(plain(second.open('kept').get(key('kept')))).toEqual(item('kept'))
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
    const storage = new LmdbStorage(newDirectory())
    let keyspaces = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 30 }),
        fc.array(fc.tuple(long, long, fc.boolean()), { minLength: 5, maxLength: 5 }),
        async (changes, ranges) => {
          const memory = new MemoryStorage()
          const keyspace = `t${keyspaces++}`
          const written = changes.map(({ key, text }, index) => {
            const before = memory.open(keyspace).latest(key)
            expect(plain(storage.open(keyspace).latest(key))).toEqual(before)
            const change = { keyspace, key, before, after: text === undefined ? undefined : item(text) }
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
          ) => plainEntries(store.open(keyspace).range({ from, to }, reverse))
          for (const [a, b, reverse] of ranges) {
            const [from, to] = a < b ? [a, b] : [b, a]
            for (const end of [to, undefined]) {
              expect(entries(storage, from, end, reverse)).toEqual(entries(memory, from, end, reverse))
            }
          }
        },
      ),
      { numRuns: 60 },
    )
    await storage.close()
  })
})
