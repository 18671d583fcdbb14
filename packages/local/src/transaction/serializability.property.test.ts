import { table } from '@isotherm/fixtures'
import { type Random, SeededRandom, VirtualClock } from '@isotherm/runtime'
import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { Engine } from '../engine/engine.js'
import { ServiceError } from '../errors/service-error.js'
import { MemoryStorage } from '../storage/memory-storage.js'

const RUNS = inject('trials') === 'many' ? 120 : 40

/**
 * Workers write and read a few items at random moments, with and without transactions. Every write appends its own id
 * to a list in each item it touches. So the final lists show the order of the writes, and the result of a read shows
 * its position among them. This determines which operation must come before which. The history is serializable if and
 * only if this graph has no cycle. Operations that did not overlap must also keep their order.
 *
 * Method: Kingsbury and Alvaro, "Elle: Inferring Isolation Anomalies from Experimental Observations", 2020.
 */
const KEYS = ['a', 'b', 'c', 'd'] as const
type Key = (typeof KEYS)[number]
const REGION = 'us-east-1'
const TableName = 'items'

/** An acknowledged operation: the items it appended to, and how many ids it saw in each item. */
interface Done {
  readonly id: string
  readonly began: number
  readonly ended: number
  readonly wrote: readonly Key[]
  readonly saw: ReadonlyMap<Key, readonly string[] | number>
}

interface History {
  readonly done: readonly Done[]
  readonly refused: readonly string[]
  readonly errors: ReadonlyMap<string, number>
  /** The final list of ids in each item. */
  readonly lists: ReadonlyMap<Key, readonly string[]>
}

interface StoredEntry {
  readonly pk: { readonly S: Key }
  readonly balance?: { readonly N: string }
  readonly entries?: { readonly L: readonly { readonly S: string }[] }
}

const place = (key: Key) => ({ TableName, Key: { pk: { S: key } } })
const idsOf = (item: StoredEntry | undefined) => item?.entries?.L.map(({ S }) => S) ?? []

function append(key: Key, id: string, amount: number) {
  return {
    ...place(key),
    UpdateExpression:
      'SET entries = list_append(if_not_exists(entries, :none), :id), shelf = :shelf ADD balance :amount',
    ExpressionAttributeValues: {
      ':none': { L: [] },
      ':id': { L: [{ S: id }] },
      ':shelf': { S: 'all' },
      ':amount': { N: String(amount) },
    },
  }
}

class Simulation {
  readonly clock = new VirtualClock()
  readonly #random: Random
  readonly #engine: Engine
  readonly #done: Done[] = []
  readonly #refused: string[] = []
  readonly #errors = new Map<string, number>()
  /** The length of each list when it was last read. Conditions are built from it. */
  readonly #lengths = new Map<Key, number>()
  #ids = 0

  constructor(seed: number) {
    this.#random = new SeededRandom(seed)
    this.#engine = new Engine({
      storage: new MemoryStorage(),
      clock: this.clock,
      random: new SeededRandom(seed),
      capacity: {},
      throttle: false,
      onPartitionEvent() {},
      transactionMilliseconds: this.#pick([0, 1, 5]),
      stopwatch: this.clock,
    })
  }

  async run(workers: number, operations: number): Promise<History> {
    await this.#execute('CreateTable', table(TableName, ['pk'], { global: { by_shelf: ['shelf'] } }))
    await Promise.all(Array.from({ length: workers }, () => this.#work(operations)))
    const items = await this.#scan()
    expect(await this.#scan('by_shelf')).toEqual(items)
    const lists = new Map(KEYS.map((key) => [key, idsOf(items.find(({ pk }) => pk.S === key))]))
    return { done: this.#done, refused: this.#refused, errors: this.#errors, lists }
  }

  async #work(operations: number): Promise<void> {
    const kinds = [
      () => this.#transaction(),
      () => this.#transaction(),
      () => this.#singleWrite(),
      () => this.#transactionalRead(),
      () => this.#singleRead(),
      () => this.#indexRead(),
    ]
    for (let operation = 0; operation < operations; operation++) {
      await this.clock.sleep(Math.floor(this.#random.next() * 6))
      await this.#pick(kinds)()
    }
  }

  /**
   * Moves an amount from the first item to the second. Half of the time it requires that a third item is unchanged
   * since it was last read.
   */
  async #transaction(): Promise<void> {
    const id = `t${this.#ids++}`
    const [from, to, third] = this.#shuffled()
    if (from === undefined || to === undefined || third === undefined) return
    const amount = Math.floor(this.#random.next() * 10)
    const length = this.#lengths.get(third) ?? 0
    const unchanged = {
      ...place(third),
      ConditionExpression: length === 0 ? 'attribute_not_exists(entries)' : 'size(entries) = :length',
      ...(length === 0 ? {} : { ExpressionAttributeValues: { ':length': { N: String(length) } } }),
    }
    const isConditional = this.#random.next() < 0.5
    const input = {
      TransactItems: [
        { Update: append(from, id, -amount) },
        { Update: append(to, id, amount) },
        ...(isConditional ? [{ ConditionCheck: unchanged }] : []),
      ],
      ClientRequestToken: id,
    }
    const saw = new Map<Key, number>(isConditional ? [[third, length]] : [])
    const attempts = [
      this.#attempt(
        id,
        [from, to],
        () => this.#execute('TransactWriteItems', input),
        () => saw,
      ),
    ]
    if (this.#random.next() < 0.3) attempts.push(this.#repeat(input))
    await Promise.all(attempts)
    if (this.#random.next() < 0.3 && this.#done.some((each) => each.id === id)) await this.#repeat(input)
  }

  /** Sends the same request again, which must not count twice. */
  async #repeat(input: object): Promise<void> {
    try {
      await this.#execute('TransactWriteItems', input)
    } catch (error) {
      this.#count(error)
    }
  }

  #singleWrite(): Promise<void> {
    const id = `s${this.#ids++}`
    const key = this.#pick(KEYS)
    const input = { ...append(key, id, 0), ReturnValues: 'ALL_OLD' }
    return this.#attempt(
      id,
      [key],
      () => this.#execute('UpdateItem', input),
      (response) => this.#seen([[key, response.Attributes as StoredEntry | undefined]]),
    )
  }

  #transactionalRead(): Promise<void> {
    const keys = this.#shuffled().slice(0, 1 + Math.floor(this.#random.next() * KEYS.length))
    return this.#attempt(
      `r${this.#ids++}`,
      [],
      () => this.#execute('TransactGetItems', { TransactItems: keys.map((key) => ({ Get: place(key) })) }),
      ({ Responses }) => {
        const items = (Responses as { Item?: StoredEntry }[]).map(({ Item }) => Item)
        if (keys.length === KEYS.length) expectBalanced(items)
        return this.#seen(keys.map((key, at) => [key, items[at]]))
      },
    )
  }

  #singleRead(): Promise<void> {
    const key = this.#pick(KEYS)
    return this.#attempt(
      `g${this.#ids++}`,
      [],
      () => this.#execute('GetItem', place(key)),
      ({ Item }) => this.#seen([[key, Item as StoredEntry | undefined]]),
    )
  }

  #indexRead(): Promise<void> {
    return this.#attempt(
      `i${this.#ids++}`,
      [],
      async () => ({ Items: await this.#scan('by_shelf') }),
      ({ Items }) => {
        expectBalanced(Items)
        return this.#seen(KEYS.map((key) => [key, Items.find(({ pk }) => pk.S === key)]))
      },
    )
  }

  async #attempt<Response>(
    id: string,
    wrote: readonly Key[],
    work: () => Promise<Response>,
    sawIn: (response: Response) => Done['saw'],
  ): Promise<void> {
    const began = this.clock.now()
    try {
      const response = await work()
      this.#done.push({ id, began, ended: this.clock.now(), wrote, saw: sawIn(response) })
    } catch (error) {
      this.#count(error)
      this.#refused.push(id)
    }
  }

  #seen(items: readonly (readonly [Key, StoredEntry | undefined])[]): Map<Key, readonly string[]> {
    for (const [key, item] of items) this.#lengths.set(key, idsOf(item).length)
    return new Map(items.map(([key, item]) => [key, idsOf(item)]))
  }

  #count(error: unknown): void {
    if (!(error instanceof ServiceError)) throw error
    const reasons = error.members.CancellationReasons as { Code: string }[] | undefined
    const names = reasons === undefined ? [error.name] : new Set(reasons.map(({ Code }) => Code))
    for (const name of names) this.#errors.set(name, (this.#errors.get(name) ?? 0) + 1)
  }

  async #scan(IndexName?: string): Promise<StoredEntry[]> {
    const input = IndexName === undefined ? { TableName } : { TableName, IndexName }
    const { Items } = await this.#execute('Scan', input)
    return (Items as StoredEntry[]).toSorted((a, b) => (a.pk.S < b.pk.S ? -1 : 1))
  }

  async #execute(operation: string, input: object): Promise<{ [member: string]: unknown }> {
    return { ...(await this.#engine.execute(operation, input, REGION)) }
  }

  #pick<T>(choices: readonly T[]): T {
    const choice = choices[Math.floor(this.#random.next() * choices.length)]
    if (choice === undefined) throw new RangeError('There is nothing to choose from.')
    return choice
  }

  #shuffled(): Key[] {
    const weights = KEYS.map((key) => ({ key, weight: this.#random.next() }))
    return weights.toSorted((a, b) => a.weight - b.weight).map(({ key }) => key)
  }
}

function expectBalanced(items: readonly (StoredEntry | undefined)[]): void {
  expect(items.reduce((sum, item) => sum + Number(item?.balance?.N ?? 0), 0)).toBe(0)
}

/** The graph of which operation must come before which. */
function arrowsOf({ done, lists }: History): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>(done.map(({ id }) => [id, new Set()]))
  const draw = (from: string | undefined, to: string | undefined) => {
    if (from !== undefined && to !== undefined && from !== to) arrows.get(from)?.add(to)
  }
  for (const list of lists.values()) for (const [at, id] of list.entries()) draw(list[at - 1], id)
  for (const { id, saw } of done) {
    for (const [key, seen] of saw) {
      const list = lists.get(key) ?? []
      const length = typeof seen === 'number' ? seen : seen.length
      draw(list[length - 1], id)
      // The first id it did not see comes after it, unless that id is its own.
      draw(id, list[length])
    }
  }
  for (const early of done) for (const late of done) if (early.ended < late.began) draw(early.id, late.id)
  return arrows
}

/**
 * Returns the operations that remain after repeatedly removing those without incoming edges. They lie on cycles, or
 * after one.
 */
function circlesIn(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const incoming = new Map([...arrows.keys()].map((id) => [id, 0]))
  for (const targets of arrows.values())
    for (const to of targets) incoming.set(to, (incoming.get(to) ?? 0) + 1)
  const free = [...incoming].filter(([, count]) => count === 0).map(([id]) => id)
  for (const id of free) {
    for (const to of arrows.get(id) ?? []) {
      const left = (incoming.get(to) ?? 0) - 1
      incoming.set(to, left)
      if (left === 0) free.push(to)
    }
  }
  const taken = new Set(free)
  return [...arrows.keys()].filter((id) => !taken.has(id))
}

function check(history: History): void {
  const { done, refused, lists } = history
  for (const { id, wrote, saw } of done) {
    for (const [key, list] of lists) {
      expect(list.filter((each) => each === id)).toHaveLength(wrote.includes(key) ? 1 : 0)
    }
    for (const [key, seen] of saw) {
      if (typeof seen !== 'number') expect(seen).toEqual(lists.get(key)?.slice(0, seen.length))
    }
  }
  const present = new Set([...lists.values()].flat())
  expect(refused.filter((id) => present.has(id))).toEqual([])
  expect(circlesIn(arrowsOf(history))).toEqual([])
}

describe('transactions that overlap with each other and with single writes', () => {
  it('are serializable, for every seed', { timeout: 60_000 }, async () => {
    const total = new Map<string, number>()
    let acknowledged = 0
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const simulation = new Simulation(seed)
        const history = await simulation.clock.run(() => simulation.run(6, 12))
        check(history)
        acknowledged += history.done.length
        for (const [name, count] of history.errors) total.set(name, (total.get(name) ?? 0) + count)
      }),
      { numRuns: RUNS },
    )
    expect(acknowledged).toBeGreaterThan(1_000)
    // A test without any conflicts would prove nothing.
    for (const name of [
      'TransactionConflict',
      'TransactionConflictException',
      'ConditionalCheckFailed',
      'TransactionInProgressException',
    ]) {
      expect(total.get(name) ?? 0, name).toBeGreaterThan(10)
    }
  })

  it('would fail this test otherwise: a cycle of two is detected', () => {
    const lists = new Map<Key, readonly string[]>([
      ['a', ['x']],
      ['b', ['x']],
    ])
    const saw = new Map<Key, readonly string[]>([
      ['a', ['x']],
      ['b', []],
    ])
    const times = { began: 0, ended: 1 }
    const done = [
      { id: 'x', ...times, wrote: ['a', 'b'] as const, saw: new Map() },
      { id: 'torn', ...times, wrote: [], saw },
    ]
    expect(circlesIn(arrowsOf({ done, lists, refused: [], errors: new Map() }))).toEqual(['x', 'torn'])
  })
})
