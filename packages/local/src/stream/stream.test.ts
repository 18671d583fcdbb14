import { SeededRandom } from '@isotherm/runtime'
import type { Item } from '@isotherm/semantics'
import { describe, expect, it } from 'vitest'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { DamagedStorage } from '../storage/lmdb/damaged-storage.fixture.js'
import { MemoryStorage } from '../storage/memory-storage.js'
import { sequenceNumberAt } from './sequence-number.js'
import { openShard } from './shard.js'
import { type PlacedChange, Stream, type StreamState, streamKeyspace, streamRecordName } from './stream.js'
import { DEFAULT_STREAMS } from './stream-parameters.js'
import { Streams } from './streams.js'

const HOUR = 3_600_000
const PARAMETERS = { streamRetentionMilliseconds: 24 * HOUR, streamShardMilliseconds: 4 * HOUR }
const STATE: Omit<StreamState, 'shards'> = {
  arn: 'arn:aws:dynamodb:local:000000000000:table/t/stream/2026',
  region: 'local',
  tableName: 't',
  label: '2026',
  viewType: 'NEW_IMAGE',
  hashName: 'pk',
  createdAt: 0,
}
const FIRST = '' as EncodedKey
const MIDDLE = 'm' as EncodedKey

function setUp(borders: readonly EncodedKey[] = [FIRST], state = STATE) {
  const storage = new MemoryStorage()
  const parts = { storage, random: new SeededRandom(1), parameters: PARAMETERS }
  const stream = Stream.create(state, borders, parts)
  return { storage, parts, stream }
}

type World = ReturnType<typeof setUp>

const item = (pk: string, n: number, bytes = 10) => ({
  item: { pk: { S: pk }, n: { N: String(n) } } as Item,
  bytes,
})
const change = (key: string, n: number, bytes?: number): PlacedChange => ({
  key: key as EncodedKey,
  before: undefined,
  after: item(key, n, bytes),
})

/** Appends the changes, durably. */
function append(
  { stream, storage }: Pick<World, 'stream' | 'storage'>,
  now: number,
  ...changes: PlacedChange[]
) {
  const write = stream.append(changes, now)
  storage.write(write.changes, write.records)
  return write
}

const shardsOf = ({ stream }: Pick<World, 'stream'>, now: number) => stream.shards(now)
const shardAt = (world: Pick<World, 'stream'>, index: number, now = 0) => {
  const shard = shardsOf(world, now).at(index)
  return shard ?? expect.fail('The stream has a shard.')
}

/** The numbers that the records of a shard hold. */
const read = ({ stream }: Pick<World, 'stream'>, shard = shardAt({ stream }, 0), now = 0, limit = 1_000) => {
  const page = stream.read(shard, undefined, limit, now)
  return page.records.map(({ newImage }) => (newImage as { n: { N: string } }).n.N)
}

describe('a stream', () => {
  it('has a shard for each partition, with the records of its keys in order', () => {
    const world = setUp([FIRST, MIDDLE])
    append(world, 5, change('a', 1), change('m', 2), change('z', 3), change('b', 4))
    expect(read(world, shardAt(world, 0))).toEqual(['1', '4'])
    expect(read(world, shardAt(world, 1))).toEqual(['2', '3'])
  })

  it('has one record of each change, also of a removal', () => {
    const world = setUp()
    expect(append(world, 5, change('a', 1)).changes).toHaveLength(1)
    const removal = { key: 'a' as EncodedKey, before: item('a', 1), after: undefined }
    expect(append(world, 6, removal).changes).toHaveLength(1)
    const { records } = world.stream.read(shardAt(world, 0), undefined, 10, 6)
    expect(records.map(({ eventName, keys }) => [eventName, keys])).toEqual([
      ['INSERT', { pk: { S: 'a' } }],
      ['REMOVE', { pk: { S: 'a' } }],
    ])
  })

  it('is readable for a day and has shards of four hours, unless it is told otherwise', () => {
    expect(DEFAULT_STREAMS).toEqual(PARAMETERS)
  })

  it('has no record of a write that changes nothing', () => {
    const world = setUp()
    const same = { key: 'a' as EncodedKey, before: item('a', 1), after: item('a', 1) }
    const none = { key: 'b' as EncodedKey, before: undefined, after: undefined }
    expect(append(world, 5, same, none)).toEqual({ changes: [], records: [] })
    // Nor does it continue a shard that is old enough.
    expect(append(world, 5 * HOUR, same)).toEqual({ changes: [], records: [] })
    append(
      world,
      5,
      same,
      change('c', 2),
      { ...same, after: item('a', 3) },
      { ...same, after: item('a', 1, 11) },
    )
    expect(read(world)).toEqual(['2', '3', '1'])
  })

  it('is stored under its ARN, only when it has changed', () => {
    const world = setUp()
    expect(append(world, 5, change('a', 1)).records).toEqual([])
    expect(world.stream.record).toEqual({ name: streamRecordName(STATE.arn), value: world.stream.state })
    expect(append(world, 4 * HOUR, change('a', 2)).records).toEqual([world.stream.record])
  })

  it('has the keys of the table in its records', () => {
    const world = setUp([FIRST], { ...STATE, rangeName: 'n', viewType: 'KEYS_ONLY' })
    append(world, 5, change('a', 1))
    const { records } = world.stream.read(shardAt(world, 0), undefined, 10, 5)
    expect(records[0]?.keys).toEqual({ pk: { S: 'a' }, n: { N: '1' } })
  })

  it('counts on behind its last record after a restart', () => {
    const world = setUp()
    append(world, 5, change('a', 1))
    const again = { ...world, stream: new Stream(world.stream.state, world.parts) }
    // The clock of the new process is behind.
    append(again, 0, change('a', 2))
    expect(read(again)).toEqual(['1', '2'])
  })

  it('counts on behind the last record of any shard after a restart', () => {
    const world = setUp([FIRST, MIDDLE])
    append(world, 5, change('a', 1))
    const again = { ...world, stream: new Stream(world.stream.state, world.parts) }
    append(again, 0, change('z', 2))
    const [first, second] = shardsOf(again, 0).map((shard) => again.stream.latestIn(shard))
    expect(second).toBe(`${first?.slice(0, -1)}1`)
  })
})

describe('a page of records', () => {
  it('begins behind the last record that was read', () => {
    const world = setUp()
    append(world, 5, change('a', 1), change('a', 2), change('a', 3))
    const shard = shardAt(world, 0)
    const first = world.stream.read(shard, undefined, 2, 5)
    expect(first).toMatchObject({ records: { length: 2 }, ended: false })
    expect(first.last).toBe(first.records[1]?.sequenceNumber)
    const second = world.stream.read(shard, first.last, 2, 5)
    expect(second.records).toHaveLength(1)
    const third = world.stream.read(shard, second.last, 2, 5)
    expect(third).toEqual({ records: [], last: second.last, ended: false })
  })

  it('has a mebibyte at most, but one record at least', () => {
    const world = setUp()
    const half = 524_288 - 3
    append(world, 5, change('a', 1, half), change('a', 2, half), change('a', 3, 2_000_000), change('a', 4))
    world.stream.disable(6)
    const pages: [number, boolean][] = []
    let after: string | undefined
    for (let page = 0; page < 3; page++) {
      const { records, last, ended } = world.stream.read(shardAt(world, 0), after, 10, 5)
      pages.push([records.length, ended])
      after = last
    }
    expect(pages).toEqual([
      [2, false],
      [1, false],
      [1, true],
    ])
  })

  it('begins with what is left after a day', () => {
    const world = setUp()
    append(world, 0, change('a', 1))
    append(world, HOUR, change('a', 2))
    const shard = shardAt(world, 0)
    expect(read(world, shard, 24 * HOUR)).toEqual(['1', '2'])
    expect(read(world, shard, 24 * HOUR + 1)).toEqual(['2'])
    // A reader that was slow continues with the oldest record that is left.
    const late = world.stream.read(shard, shard.startingSequenceNumber, 10, 24 * HOUR + 1)
    expect(late.records).toHaveLength(1)
    expect(world.stream.trimHorizon(24 * HOUR)).toBe(sequenceNumberAt(0))
  })

  it('does not repeat the last record that was read, although it is the oldest that is left', () => {
    const world = setUp()
    append(world, HOUR, change('a', 1), change('a', 2))
    const page = world.stream.read(shardAt(world, 0), sequenceNumberAt(HOUR), 10, 25 * HOUR)
    expect(page.records.map(({ newImage }) => newImage?.n)).toEqual([{ N: '2' }])
  })

  it('of a shard knows its last record', () => {
    const world = setUp()
    const shard = shardAt(world, 0)
    expect(world.stream.latestIn(shard)).toBe(shard.startingSequenceNumber)
    append(world, 5, change('a', 1), change('a', 2))
    const { records } = world.stream.read(shard, undefined, 10, 5)
    expect(world.stream.latestIn(shard)).toBe(records[1]?.sequenceNumber)
  })
})

describe('a shard', () => {
  it('is continued by two when its partition is split', () => {
    const world = setUp()
    append(world, 5, change('a', 1), change('z', 2))
    const parent = shardAt(world, 0)
    const record = world.stream.split(MIDDLE, 10)
    expect(record).toEqual(world.stream.record)
    const [closed, ...children] = shardsOf(world, 10)
    expect(closed).toMatchObject({ id: parent.id, closedAt: 10, endingSequenceNumber: sequenceNumberAt(10) })
    expect(children).toMatchObject([
      { parentId: parent.id, from: FIRST },
      { parentId: parent.id, from: MIDDLE },
    ])
    append(world, 11, change('a', 3), change('z', 4))
    expect(read(world, closed, 11)).toEqual(['1', '2'])
    expect(read(world, children[0], 11)).toEqual(['3'])
    expect(read(world, children[1], 11)).toEqual(['4'])
  })

  it('ends for readers once it is closed and read to its end, also without records', () => {
    const world = setUp()
    append(world, 5, change('a', 1), change('a', 2))
    world.stream.split(MIDDLE, 10)
    const [closed, child] = shardsOf(world, 10)
    if (closed === undefined || child === undefined) return expect.fail('There are three.')
    expect(world.stream.read(closed, undefined, 1, 10).ended).toBe(false)
    expect(world.stream.read(closed, undefined, 10, 10).ended).toBe(true)
    expect(world.stream.read(child, undefined, 10, 10).ended).toBe(false)
    world.stream.split('c' as EncodedKey, 20)
    const empty = shardsOf(world, 20).find(({ id }) => id === child.id)
    expect(empty && world.stream.read(empty, undefined, 10, 20).ended).toBe(true)
  })

  it.each([[[FIRST]], [[FIRST, MIDDLE]]])(
    'does not end before its last record is durable, of %j',
    (borders) => {
      const world = setUp(borders)
      const write = world.stream.append([change('a', 1)], 5)
      world.stream.split('c' as EncodedKey, 10)
      const closed = shardAt(world, 0)
      expect(world.stream.read(closed, undefined, 10, 10).ended).toBe(false)
      expect(world.stream.read(closed, undefined, 10, 5 + 24 * HOUR).ended).toBe(false)
      world.storage.write(write.changes)
      expect(world.stream.read(closed, undefined, 10, 10)).toMatchObject({
        records: { length: 1 },
        ended: true,
      })
    },
  )

  it('stays open when the partition before it is split', () => {
    const world = setUp([FIRST, MIDDLE])
    world.stream.split('c' as EncodedKey, 10)
    append(world, 11, change('z', 1), change('d', 2), change('a', 3))
    expect(shardsOf(world, 11).map((shard) => read(world, shard, 11))).toEqual([[], ['1'], ['3'], ['2']])
  })

  it('removes a megabyte of expired records with a write', () => {
    const world = setUp()
    for (let n = 0; n < 20; n++) append(world, 0, change('a', n, 300_000))
    const left = () => world.storage.open(streamKeyspace(STATE.arn)).size
    append(world, 25 * HOUR, change('a', 20))
    expect(left()).toBe(17)
    append(world, 25 * HOUR, change('a', 21))
    expect(left()).toBe(14)
  })

  it('accepts records while expired ones are damaged, and removes those before the damage', () => {
    const storage = new DamagedStorage()
    const parts = { storage, random: new SeededRandom(1), parameters: PARAMETERS }
    const stream = Stream.create(STATE, [FIRST], parts)
    append({ stream, storage }, 0, change('a', 1), change('a', 2), change('a', 3))
    storage.intact = 1
    append({ stream, storage }, 25 * HOUR, change('a', 4))
    storage.intact = Number.POSITIVE_INFINITY
    expect(storage.open(streamKeyspace(STATE.arn)).size).toBe(3)
  })

  it('ends once its records are trimmed', () => {
    const world = setUp()
    append(world, 5, change('a', 1))
    world.stream.split(MIDDLE, 10)
    const closed = shardAt(world, 0)
    expect(world.stream.read(closed, undefined, 10, 25 * HOUR)).toEqual({
      records: [],
      last: undefined,
      ended: true,
    })
  })

  it('is continued by one after four hours, when something is written', () => {
    const world = setUp()
    append(world, 4 * HOUR - 1, change('a', 1))
    expect(shardsOf(world, 0)).toHaveLength(1)
    append(world, 4 * HOUR, change('a', 2))
    const [closed, child] = shardsOf(world, 0)
    expect(child).toMatchObject({ parentId: closed?.id, from: FIRST, openedAt: 4 * HOUR })
    expect(read(world, child)).toEqual(['2'])
  })

  it('is listed for a day after it was closed, and forgotten with its last record', () => {
    const world = setUp()
    append(world, 5, change('a', 1))
    world.stream.split(MIDDLE, 10)
    const { id } = shardAt(world, 0)
    const isListed = (now: number) => shardsOf(world, now).some((shard) => shard.id === id)
    expect(isListed(10 + 24 * HOUR - 1)).toBe(true)
    expect(isListed(10 + 24 * HOUR)).toBe(false)
    const isKept = () => world.stream.state.shards.some((shard) => shard.id === id)
    // The first write after a day removes the records, the next change of shards what they were in.
    append(world, 25 * HOUR, change('a', 2))
    expect(isKept()).toBe(true)
    append(world, 30 * HOUR, change('a', 3))
    expect(isKept()).toBe(false)
  })

  it('of no open partition takes no record', () => {
    const world = setUp()
    world.stream.disable(5)
    expect(() => world.stream.append([change('a', 1)], 6)).toThrow('No shard of the stream is open')
  })

  it('has a name in the order of time, with some chance in it', () => {
    const random = { next: () => 0 }
    expect(openShard(FIRST, '1', 7.9, random)).toEqual({
      id: 'shardId-00000000000000000007-00000000',
      from: FIRST,
      startingSequenceNumber: '1',
      openedAt: 7.9,
    })
    expect(openShard(FIRST, '1', 7, { next: () => 0.5 }, 'parent')).toMatchObject({
      id: 'shardId-00000000000000000007-80000000',
      parentId: 'parent',
    })
  })
})

describe('records of more than a day ago', () => {
  const stored = ({ storage }: Pick<World, 'storage'>) => storage.open(streamKeyspace(STATE.arn)).size

  it('are removed by a write, at most once a minute', () => {
    const world = setUp()
    append(world, 0, change('a', 1))
    append(world, 25 * HOUR, change('a', 2))
    expect(stored(world)).toBe(1)
    append(world, 25 * HOUR + 1, change('a', 3))
    expect(stored(world)).toBe(2)
    // Both are too old, but a minute has not passed since the last look.
    append(world, 50 * HOUR, change('a', 4))
    expect(stored(world)).toBe(1)
    append(world, 50 * HOUR + 59_999, change('a', 5))
    append(world, 50 * HOUR + 60_000, change('a', 6))
    expect(stored(world)).toBe(3)
  })

  it('are not looked for again before a minute has passed', () => {
    const world = setUp()
    append(world, 0, change('a', 1))
    append(world, HOUR + 30_000, change('a', 2))
    append(world, 25 * HOUR, change('a', 3))
    expect(stored(world)).toBe(2)
    append(world, 25 * HOUR + 59_999, change('a', 4))
    expect(stored(world)).toBe(3)
    append(world, 25 * HOUR + 60_000, change('a', 5))
    expect(stored(world)).toBe(3)
  })

  it('are removed a thousand at a time, by one write after the other', () => {
    const world = setUp()
    append(world, 0, ...Array.from({ length: 1_001 }, (_, at) => change('a', at)))
    expect(
      append(world, 25 * HOUR, change('a', 1)).changes.filter(({ after }) => after === undefined),
    ).toHaveLength(1_000)
    append(world, 25 * HOUR, change('a', 2))
    expect(stored(world)).toBe(2)
  })
})

describe('a stream that was disabled', () => {
  it('is closed, and readable for a day', () => {
    const world = setUp([FIRST, MIDDLE])
    append(world, 5, change('a', 1))
    expect(world.stream.enabled).toBe(true)
    expect(world.stream.isOver(100 * HOUR)).toBe(false)
    expect(world.stream.disable(HOUR)).toEqual(world.stream.record)
    expect(world.stream.enabled).toBe(false)
    expect(world.stream.state.shards.map(({ closedAt }) => closedAt)).toEqual([HOUR, HOUR])
    expect(read(world)).toEqual(['1'])
    expect(world.stream.isOver(25 * HOUR - 1)).toBe(false)
    expect(world.stream.isOver(25 * HOUR)).toBe(true)
  })

  it('leaves a shard that was closed before as it was', () => {
    const world = setUp()
    world.stream.split(MIDDLE, 10)
    const before = shardAt(world, 0)
    world.stream.disable(HOUR)
    expect(shardAt(world, 0)).toEqual(before)
  })
})

describe('all streams', () => {
  function streamsOf(...states: readonly Partial<StreamState>[]) {
    const storage = new MemoryStorage()
    const streams = new Streams({ storage, random: new SeededRandom(1), parameters: PARAMETERS })
    const made = states.map((state) => streams.create({ ...STATE, ...state }, [FIRST]))
    return { storage, streams, made }
  }

  it('are found by their ARN, until nothing of them is readable', () => {
    const { storage, streams, made } = streamsOf({ arn: 'a' }, { arn: 'b' })
    for (const stream of made) storage.write(stream.append([change('a', 1)], 0).changes, streams.records)
    made[0]?.disable(0)
    expect(streams.get('a', 24 * HOUR - 1)).toBe(made[0])
    expect(streams.get('b', 100 * HOUR)).toBe(made[1])
    expect(streams.get('a', 24 * HOUR)).toBeUndefined()
    expect(streams.has('a')).toBe(false)
    expect(streams.get('a', 0)).toBeUndefined()
    expect(streams.has('b')).toBe(true)
    expect([...storage.records()].map(([name]) => name)).toEqual([streamRecordName('b')])
    expect(storage.open(streamKeyspace('a')).size).toBe(0)
    expect(storage.open(streamKeyspace('b')).size).toBe(1)
  })

  it('that are over are removed when another one is created', () => {
    const { streams, made } = streamsOf({ arn: 'a' })
    made[0]?.disable(0)
    streams.create({ ...STATE, arn: 'b', createdAt: 24 * HOUR }, [FIRST])
    expect(streams.has('a')).toBe(false)
  })

  it('are listed by region and table, in the order of their ARNs', () => {
    const { streams, made } = streamsOf(
      { arn: 'c' },
      { arn: 'a' },
      { arn: 'b', tableName: 'other' },
      { arn: 'd', region: 'elsewhere' },
    )
    const listed = (region: string, table?: string) =>
      streams.list(region, table, 0).map(({ state }) => state.arn)
    expect(listed('local')).toEqual(['a', 'b', 'c'])
    expect(listed('local', 't')).toEqual(['a', 'c'])
    expect(listed('elsewhere')).toEqual(['d'])
    made[1]?.disable(0)
    expect(streams.list('local', 't', 24 * HOUR).map(({ state }) => state.arn)).toEqual(['c'])
  })

  it('are stored, and loaded after a restart', () => {
    const { storage, streams, made } = streamsOf({ arn: 'a' })
    const [record] = streams.records
    expect(record?.name).toBe(streamRecordName('a'))
    const again = new Streams({ storage, random: new SeededRandom(1), parameters: PARAMETERS })
    again.load(record?.value ?? {})
    expect(again.get('a', 0)?.state).toEqual(made[0]?.state)
    again.clear()
    expect(again.has('a')).toBe(false)
  })
})
