import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { EMPTY_CARD } from '../../../test/log-card.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { LogicalKey } from '../../keys/key.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import { announce, move } from '../states/calculated-count.js'
import { firstState } from '../states/shard-state.js'
import { CARD_KEY } from './own-keys.js'
import type { TableCard } from './table-card.js'
import { TableCards, type TableCardsOptions } from './table-cards.js'

const LIFETIME = 10_000
const KEY = { S: 'k' } as LogicalKey
const FIRST = firstState(1, 0)
const EMPTY: TableCard = { ...EMPTY_CARD, settings: { initial: '1' }, made: '1:a' }

/** A card that other processes write to. */
class SharedCard {
  card: TableCard | undefined = EMPTY
  finds = 0
  made = 0
  /** How long an answer is on its way. */
  milliseconds = 0
  error: unknown
  /** What the next writes come to, and then all others. */
  writes: boolean[] = [true]
  readonly written: unknown[] = []
  readonly #clock: VirtualClock

  constructor(clock: VirtualClock) {
    this.#clock = clock
  }

  async find(): Promise<TableCard | undefined> {
    this.finds += 1
    const { card, error, milliseconds } = this
    await this.#clock.sleep(milliseconds)
    if (error !== undefined) throw error
    return card
  }

  async read(): Promise<TableCard> {
    this.made += 1
    return (await this.find()) ?? EMPTY
  }

  readonly list = async (...given: unknown[]) => this.#write('list', given)
  readonly listAll = async (...given: unknown[]) => this.#write('listAll', given)
  readonly listOnly = async (...given: unknown[]) => this.#write('listOnly', given)
  readonly replaceInitial = async (...given: unknown[]) => this.#write('replaceInitial', given)
  async unlist(...given: unknown[]): Promise<void> {
    this.#write('unlist', given)
  }

  #write(what: string, given: readonly unknown[]): boolean {
    this.written.push([what, ...given])
    return (this.writes.length > 1 ? this.writes.shift() : this.writes[0]) ?? true
  }
}

function setUp() {
  const clock = new VirtualClock(0)
  const store = new SharedCard(clock)
  const failed: unknown[] = []
  const cards = new TableCards({
    table: { name: 'log', shardMap: 'map', cacheMilliseconds: LIFETIME } as ShardedTable,
    store: store as unknown as TableCardsOptions['store'],
    clock,
    settings: { initial: '1' },
    onRefreshFailed: (error) => failed.push(error),
  })
  return { clock, store, cards, failed }
}

const listing = (...keys: readonly string[]): TableCard => ({ ...EMPTY, listed: new Set(keys), version: 2 })

describe('the card of a table, as a process knows it', () => {
  it('is read once for requests that begin at the same time, and then kept', async () => {
    const { clock, store, cards } = setUp()
    expect(cards.peek()).toBeUndefined()
    await clock.run(async () => {
      await Promise.all([cards.current(KEY), cards.current(KEY)])
      await clock.sleep(LIFETIME / 2 - 1)
      const known = cards.current(KEY)
      expect(known).not.toBeInstanceOf(Promise)
      expect(known).toBe(cards.peek())
    })
    expect(store.finds).toBe(1)
  })

  it('is read in the background in the second half of its lifetime, once at a time', async () => {
    const { clock, store, cards } = setUp()
    await clock.run(async () => {
      await cards.current(KEY)
      await clock.sleep(LIFETIME / 2)
      store.milliseconds = 100
      store.card = listing('k')
      expect(cards.current(KEY)).toMatchObject({ version: 1 })
      expect(cards.current(KEY)).toMatchObject({ version: 1 })
      await clock.sleep(100)
      expect(cards.current(KEY)).toMatchObject({ version: 2 })
    })
    expect(store.finds).toBe(2)
  })

  it('is waited for from the end of its lifetime on, which began when its read was sent', async () => {
    const { clock, store, cards } = setUp()
    await clock.run(async () => {
      store.milliseconds = 3_000
      await cards.current(KEY)
      expect(cards.peek()?.view.validUntil).toBe(LIFETIME)
      await clock.sleep(LIFETIME - 3_000)
      store.card = listing('k')
      expect(await cards.current(KEY)).toMatchObject({ version: 2 })
    })
  })

  it('is read again for a request that came after a read that has failed', async () => {
    const { clock, store, cards } = setUp()
    await clock.run(async () => {
      await cards.current(KEY)
      await clock.sleep(LIFETIME)
      store.error = new Error('denied')
      store.milliseconds = 100
      const failing = Promise.resolve(cards.current(KEY))
      await clock.sleep(50)
      store.error = undefined
      const later = cards.current(KEY)
      await expect(failing).rejects.toThrow('denied')
      expect(await later).toMatchObject({ version: 1 })
    })
  })

  it('fails no request if a read in the background fails', async () => {
    const { clock, store, cards, failed } = setUp()
    await clock.run(async () => {
      await cards.current(KEY)
      await clock.sleep(LIFETIME / 2)
      store.error = new Error('denied')
      store.milliseconds = 1
      // Two requests, and one read.
      for (let request = 0; request < 2; request++) expect(cards.current(KEY)).toMatchObject({ version: 1 })
      await clock.sleep(1)
    })
    expect(failed).toEqual([store.error])
  })

  it('is read in the background once a second at most while that fails', async () => {
    const { clock, store, cards, failed } = setUp()
    await clock.run(async () => {
      await cards.current(KEY)
      await clock.sleep(LIFETIME / 2)
      store.error = new Error('denied')
      store.finds = 0
      for (let request = 0; request < 300; request++) {
        expect(cards.current(KEY)).toMatchObject({ version: 1 })
        await clock.sleep(10)
      }
      expect(store.finds).toBe(3)
      expect(failed).toHaveLength(3)
      store.error = undefined
      store.card = listing('k')
      cards.current(KEY)
      await clock.sleep(1)
      expect(cards.peek()).toMatchObject({ version: 2 })
    })
  })

  it('is not replaced by an older answer that arrives later', async () => {
    const { clock, store, cards } = setUp()
    await clock.run(async () => {
      await cards.current(KEY)
      store.milliseconds = 500
      const late = cards.readNow(KEY)
      await clock.sleep(100)
      store.milliseconds = 0
      store.card = listing('k')
      await cards.readNow(KEY)
      expect(await late).toMatchObject({ version: 1 })
      expect(cards.peek()).toMatchObject({ version: 2 })
    })
  })

  it('is read again in the background if it is older than asked for', async () => {
    const { clock, store, cards, failed } = setUp()
    await clock.run(async () => {
      expect(cards.refreshIfOlder(KEY, 0)).toBe(false)
      await cards.current(KEY)
      await clock.sleep(1_000)
      expect(cards.refreshIfOlder(KEY, 1_001)).toBe(false)
      store.milliseconds = 100
      store.error = new Error('denied')
      expect(cards.refreshIfOlder(KEY, 1_000)).toBe(true)
      expect(cards.refreshIfOlder(KEY, 1_000)).toBe(false)
      await clock.sleep(100)
    })
    expect(store.finds).toBe(2)
    expect(failed).toEqual([store.error])
  })

  it.each([CARD_KEY, 'isotherm:x'])('has no key that begins as those of the shard map itself, %s', (S) => {
    const { cards } = setUp()
    expect(() => cards.current({ S } as LogicalKey)).toThrow(
      expect.objectContaining({ code: 'key.ambiguous', details: { table: 'log', logicalKey: S } }),
    )
    expect(() => cards.current({ B: Buffer.from(S) } as unknown as LogicalKey)).toThrow(
      expect.objectContaining({ code: 'key.ambiguous' }),
    )
  })

  it('is refused if the table has other settings, or another name', async () => {
    const { clock, store, cards } = setUp()
    await clock.run(async () => {
      store.card = { ...EMPTY, settings: { initial: '2' } }
      await expect(cards.current(KEY)).rejects.toMatchObject({ code: 'card.differs' })
      store.card = { ...EMPTY, table: 'other' }
      await expect(cards.current(KEY)).rejects.toMatchObject({ code: 'card.foreign' })
    })
  })

  it.each([
    ['a rebuilt card, which can be the one that is wrong', true, 1],
    ['another card', undefined, 0],
  ])('is refused with the advice to rebuild it again: %s', async (_what, isRebuilt, advices) => {
    const { clock, store, cards } = setUp()
    store.card = { ...EMPTY, settings: { initial: '2' }, isRebuilt }
    await clock.run(async () => {
      const error = await Promise.resolve(cards.current(KEY)).catch((refused: unknown) => refused)
      expect(String(error).split('replaceCard: true')).toHaveLength(advices + 1)
    })
  })

  it('reports a migration that did not wait between its phases', async () => {
    const { clock, store, cards, failed } = setUp()
    await clock.run(async () => {
      store.card = { ...EMPTY, initial: firstState(1, 10) }
      await cards.current(KEY)
      store.card = { ...EMPTY, initial: move(announce(firstState(1, 10), 2, 11), 12) }
      // Nothing is wrong for a process that uses the former card no longer.
      await clock.sleep(LIFETIME)
      expect(await cards.current(KEY)).toMatchObject({ initial: { phase: 'moved' } })
      expect(failed).toEqual([])
      store.card = { ...EMPTY, initial: announce(firstState(1, 10), 3, 20) }
      await cards.readNow(KEY)
      store.card = { ...EMPTY, initial: move(announce(firstState(1, 10), 4, 30), 31) }
      await cards.readNow(KEY)
    })
    expect(failed).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/^Invariant apart broken: .*the same cacheTtl and lateRequests\.$/),
      }),
    ])
  })
})

describe('the view of the card before', () => {
  it('may still be used for a key that was not listed there', async () => {
    const { clock, store, cards } = setUp()
    await clock.run(async () => {
      await cards.current(KEY)
      expect(cards.stillInUse(KEY)).toBeUndefined()
      const before = cards.peek()?.view
      store.card = listing('k')
      await cards.readNow(KEY)
      expect(cards.stillInUse(KEY)).toBe(before)
      await cards.readNow(KEY)
      expect(cards.stillInUse(KEY)).toBeUndefined()
    })
  })
})

describe('a key that is to change', () => {
  it.each([
    ['it is listed by the card that is known', [true], ['list'], 1],
    ['the card that is known is out of date', [false, true], ['list', 'list'], 2],
    ['the card is full', [false, false, true], ['list', 'list', 'listAll'], 2],
  ] as const)('may change where %s', async (_what, writes, sent, finds) => {
    const { clock, store, cards } = setUp()
    store.writes = [...writes]
    await clock.run(async () => expect(await cards.list(KEY, 7)).toBe(true))
    expect(store.written.map((write) => (write as string[])[0])).toEqual(sent)
    expect(store.written.every((write) => (write as unknown[]).at(-1) === 7)).toBe(true)
    expect(store.finds).toBe(finds)
  })

  it('may not change where the card has another initial state', async () => {
    const { clock, store, cards } = setUp()
    store.writes = [false]
    await clock.run(async () => expect(await cards.list(KEY, 7)).toBe(false))
  })
})

describe('an item that the shard map does not have', () => {
  it('is missed if the card lists its key, and not all of them', async () => {
    const { clock, store, cards } = setUp()
    await clock.run(async () => {
      const known = await cards.current(KEY)
      cards.requireItem(KEY, undefined)
      cards.requireItem(KEY, known)
      cards.requireItem(KEY, { ...known, listed: 'all' })
      store.card = listing('k')
      const lists = await cards.readNow(KEY)
      expect(() => cards.requireItem(KEY, lists)).toThrow(expect.objectContaining({ code: 'card.lost' }))
      cards.requireItem({ S: 'other' } as LogicalKey, lists)
    })
  })
})

describe('a card that is gone', () => {
  const elsewhere = new IsothermError('items.elsewhere', 'elsewhere', {
    table: 'log',
    storedKey: 'k_2',
    shard: 2,
    shards: 1,
  })
  const gone = new IsothermError('table.missing', 'gone', { table: 'log' })

  it('is made again if nothing was lost with it', async () => {
    const { clock, store, cards } = setUp()
    await clock.run(async () => {
      await cards.current(KEY)
      store.card = undefined
      expect(await cards.readNow(KEY)).toMatchObject({ version: 1 })
    })
    expect(store.made).toBe(2)
  })

  it('is lost if this process has listed a key', async () => {
    const { clock, store, cards } = setUp()
    await clock.run(async () => {
      await cards.list(KEY, undefined)
      store.card = undefined
      await expect(cards.readNow(KEY)).rejects.toMatchObject({ details: { reason: 'missing' } })
    })
    expect(store.made).toBe(1)
  })

  it.each([
    [
      'the items are elsewhere, which shows that counts were lost',
      elsewhere,
      { code: 'card.lost', details: { table: 'log', shardMap: 'map', reason: 'missing' } },
    ],
    ['the table cannot be read', new Error('denied'), { message: 'denied' }],
    ['the table is gone, too', gone, { code: 'table.missing' }],
  ])('is not made again if %s', async (_what, error, thrown) => {
    const { clock, store, cards } = setUp()
    await clock.run(async () => {
      await cards.current(KEY)
      store.card = undefined
      store.read = async () => {
        throw error
      }
      await expect(cards.readNow(KEY)).rejects.toMatchObject(thrown)
    })
  })

  it('is looked for twice, because a read may have been carried out before one that was answered earlier', async () => {
    const { clock, store, cards } = setUp()
    await clock.run(async () => {
      store.card = listing('k')
      await cards.current(KEY)
      const finds = [EMPTY, listing('k', 'l')]
      store.find = async () => finds.shift()
      expect(await cards.readNow(KEY)).toMatchObject({ listed: new Set(['k', 'l']) })
      expect(finds).toEqual([])
    })
  })
})

describe('what others ask of the card', () => {
  it('is passed on to its store', async () => {
    const { cards, store } = setUp()
    const change = { accepted: new Set<string>(), migration: undefined }
    await cards.unlist(KEY, 3)
    await cards.listOnly(KEY, [KEY], 4)
    await cards.replaceInitial(KEY, FIRST, FIRST, change)
    expect(store.written).toEqual([
      ['unlist', KEY, 3],
      ['listOnly', KEY, [KEY], 4],
      ['replaceInitial', KEY, FIRST, FIRST, change],
    ])
    const many = Array.from({ length: 1_001 }, (_, at) => ({ S: `k${at}` }) as LogicalKey)
    expect(cards.mayList(many.slice(1))).toBe(true)
    expect(cards.mayList(many)).toBe(false)
  })
})
