import { describe, expect, it } from 'vitest'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { DamagedStorage } from '../storage/lmdb/damaged-storage.fixture.js'
import { DEFAULT_CAPACITY } from './capacity-parameters.js'
import { PartitionMap, type SplitEvent } from './partition-map.js'
import { PartitionSizes } from './partition-sizes.js'

const prefix = (collection: string) => collection.repeat(8) as EncodedKey
const keyOf = (collection: string, sort: number | string = '') =>
  `${prefix(collection)}${String(sort).padStart(4, '0')}` as EncodedKey

interface Options {
  readonly limit: number
  readonly wholeCollections?: boolean
  readonly keyspaces?: readonly string[]
}

/** One partition of a store that may hold items already. */
class World {
  readonly store = new DamagedStorage()
  readonly events: SplitEvent[] = []
  readonly partitions: PartitionMap
  readonly #keyspaces: readonly string[]
  readonly #limit: number
  #sizes: PartitionSizes | undefined

  constructor({ limit, wholeCollections = false, keyspaces = ['items'] }: Options) {
    const onSplit = (event: SplitEvent) => this.events.push(event)
    this.partitions = new PartitionMap(1, DEFAULT_CAPACITY, 0, { wholeCollections, onSplit })
    this.#keyspaces = keyspaces
    this.#limit = limit
  }

  /** Nothing is counted before this is called. */
  count(): void {
    const maps = this.#keyspaces.map((keyspace) => this.store.open(keyspace))
    this.#sizes = new PartitionSizes(this.partitions, maps, this.#limit)
  }

  write(key: EncodedKey, bytes: number, keyspace = 'items'): void {
    const before = this.store.open(keyspace).latest(key)
    this.store.write([{ keyspace, key, before, after: { item: {}, bytes } }])
    this.#sizes?.written(this.#keyspaces.indexOf(keyspace), key, bytes - (before?.bytes ?? 0), 0)
  }

  get bytes(): readonly (number | undefined)[] {
    return this.partitions.all.map(({ bytes }) => bytes)
  }

  get borders(): readonly EncodedKey[] {
    return this.partitions.all.slice(1).map(({ from }) => from)
  }

  get stored(): number {
    return this.#keyspaces.reduce((sum, keyspace) => sum + this.store.open(keyspace).bytes, 0)
  }
}

describe('a partition whose bytes are unknown', () => {
  /** A store that holds `count` items of ten bytes, which nothing has counted. */
  function filled(count: number, options: Partial<Options> = {}): World {
    const world = new World({ limit: 1_000, ...options })
    for (const keyspace of options.keyspaces ?? ['items'])
      for (let at = 0; at < count; at++) world.write(keyOf('a', at), 10, keyspace)
    world.count()
    return world
  }

  it('is counted in smaller steps if its entries are large', () => {
    const world = new World({ limit: 1_000 })
    for (let at = 0; at < 10; at++) world.write(keyOf('a', at), 400_000)
    world.count()
    for (let written = 0; written < 10; written++) {
      expect(world.bytes).toEqual([undefined])
      world.write(keyOf('a', 0), 400_000 + written + 1)
    }
    world.write(keyOf('a', 0), 400_000)
    expect(world.bytes).toEqual([4_000_000])
  })

  it('is not counted behind damage, which no write fails for', () => {
    const world = filled(192)
    world.store.intact = 10
    for (let written = 0; written < 5; written++) world.write(keyOf('a', 300 + written), 10)
    expect(world.stored).toBe(1_970)
    expect(world.bytes).toEqual([undefined])
  })

  it('is counted by the writes, 64 entries with each', () => {
    const world = filled(192)
    for (const known of [false, false, true]) {
      world.write(keyOf('a', 191), 11 + Number(known))
      expect(world.bytes).toEqual([known ? world.stored : undefined])
    }
  })

  it('is counted in all its maps, one after the other', () => {
    const world = filled(64, { keyspaces: ['items', 'entries'] })
    world.write(keyOf('a', 0), 11)
    expect(world.bytes).toEqual([undefined])
    world.write(keyOf('a', 1), 11)
    expect(world.bytes).toEqual([world.stored])
  })

  it.each(['items', 'entries'])(
    'includes what is written to the %s meanwhile, wherever the count is',
    (to) => {
      const world = filled(200, { keyspaces: ['items', 'entries'] })
      // The count stands before the items 64, 128 and 192, and then before the same entries.
      for (const at of [150, 10, 128, 300, 64, 5, 199, 192]) {
        expect(world.bytes).toEqual([undefined])
        world.write(keyOf('a', at), 20, to)
      }
      expect(world.bytes).toEqual([world.stored])
    },
  )

  it('is counted anew if it is split meanwhile', () => {
    const world = filled(150)
    const [first] = world.partitions.all
    world.write(keyOf('a', 0), 11)
    world.partitions.split(first ?? expect.fail('There is one.'), keyOf('a', 100), 'heat', 0)
    for (let bytes = 12; bytes < 15; bytes++) world.write(keyOf('a', 0), bytes)
    expect(world.bytes).toEqual([100 * 10 + 4, undefined])
  })

  it('is not counted while all of the keyspace is smaller than a partition', () => {
    const world = filled(10)
    for (let bytes = 11; bytes < 20; bytes++) world.write(keyOf('a', 0), bytes)
    expect(world.bytes).toEqual([undefined])
  })
})

describe('a partition that reaches the limit', () => {
  it('is split in the middle, and the bytes of both halves are known', () => {
    const world = new World({ limit: 1_200 })
    world.count()
    for (let at = 0; at < 11; at++) world.write(keyOf('a', at), 100)
    expect(world.borders).toEqual([])
    world.write(keyOf('a', 11), 100)
    expect(world.borders).toEqual([keyOf('a', 6)])
    expect(world.bytes).toEqual([600, 600])
  })

  it('is not split where one item is more than half of it, which is no event', () => {
    const world = new World({ limit: 1_200 })
    world.count()
    world.write(keyOf('a'), 100)
    world.write(keyOf('b'), 1_100)
    expect(world.events).toEqual([])
  })

  describe('and keeps collections whole', () => {
    const options = { wholeCollections: true, keyspaces: ['items', 'entries'] }

    it('is split at the collection in the middle, of items as large as their entries', () => {
      const world = new World({ limit: 2_400, ...options })
      world.count()
      for (const collection of ['a', 'b', 'c', 'd']) {
        for (let at = 0; at < 3; at++) {
          world.write(keyOf(collection, at), 100)
          world.write(keyOf(collection, at), 100, 'entries')
        }
      }
      expect(world.borders).toEqual([prefix('c')])
    })

    it('is tried again once it has grown by a tenth', () => {
      const world = new World({ limit: 10, ...options })
      world.count()
      world.write(keyOf('a'), 10)
      const refusal = {
        partition: 0,
        type: 'split-refused',
        because: 'one-collection-with-local-indexes',
        at: 0,
      }
      expect(world.events).toEqual([refusal])
      world.write(keyOf('a', 1), 0.5)
      expect(world.events).toEqual([refusal])
      world.write(keyOf('a', 2), 0.5)
      expect(world.events).toEqual([refusal, refusal])
    })

    /** The search for the middle stands inside the only collection. */
    function searching(): World {
      const world = new World({ limit: 1_300, ...options })
      world.count()
      for (let at = 0; at < 130; at++) world.write(keyOf('m', at), 10)
      return world
    }

    it('may be split before a collection once there is one before it', () => {
      const world = searching()
      world.write(keyOf('a'), 1)
      expect(world.borders).toEqual([prefix('m')])
    })

    it('has nothing before its first collection, whatever is written into it', () => {
      const world = searching()
      for (let at = 0; at < 3; at++) world.write(keyOf('m', at), 11)
      expect(world.borders).toEqual([])
      expect(world.events).toMatchObject([{ because: 'one-collection-with-local-indexes' }])
    })
  })
})
