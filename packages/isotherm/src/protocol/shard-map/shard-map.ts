import { Flights } from '../../bounded/flights.js'
import { keyText, type LogicalKey } from '../../keys/key.js'
import { REPLICAS_MILLISECONDS } from '../states/drive-rules.js'
import type { Growth, HeatTotals } from '../states/fleet-signs.js'
import { later } from '../states/pace.js'
import { JOINED_MILLISECONDS } from '../states/read-pace.js'
import {
  currentState,
  firstState,
  isChanging,
  isOwn,
  isSameCount,
  repeatedState,
  type ShardState,
} from '../states/shard-state.js'
import { limitedView, type ShardView } from '../states/shard-view.js'
import type { ShardViews } from '../states/shard-views.js'
import { isListed } from '../table-card/table-card.js'
import type { KnownCard, TableCards } from '../table-card/table-cards.js'
import { type KnownState, KnownStates } from './known-states.js'
import type { ShardMapStore } from './shard-map-store.js'
import { StateReads, type StateReadsOptions } from './state-reads.js'

export interface ShardMapOptions extends StateReadsOptions {
  readonly store: Pick<ShardMapStore, 'read' | 'create' | 'replace' | 'report'>
  readonly initial: number
  /**
   * Whether new shards are used at once, as with a random suffix. Then a consistent read must know of them. Without, a cached view is
   * sufficient while it is valid: no shard is used before every process reads it.
   */
  readonly growsAtOnce: boolean
  /** The card of the table. Missing for the counts of indexes: then each key that is written gets an item, and is read before. */
  readonly cards?:
    | Pick<
        TableCards,
        'current' | 'readNow' | 'peek' | 'stillInUse' | 'refreshIfOlder' | 'list' | 'unlist' | 'requireItem'
      >
    | undefined
}

/**
 * The shard map as one process sees it. States are cached. A process sends one read at a time for a key, never returns to an older
 * count, and never uses a state beyond its lifetime. Other processes rely on that lifetime: a change waits until every process must
 * know about it.
 */
export class ShardMap implements ShardViews {
  readonly #options: ShardMapOptions
  readonly #states: KnownStates
  readonly #reads: StateReads
  readonly #creations: Flights<KnownState>

  constructor(options: ShardMapOptions) {
    this.#options = options
    this.#states = new KnownStates(options)
    this.#reads = new StateReads(options, this.#states)
    this.#creations = new Flights(options.clock, JOINED_MILLISECONDS)
  }

  known(key: LogicalKey): number | undefined {
    return this.peek(key)?.shards
  }

  forWrite(key: LogicalKey): ShardView | Promise<ShardView> {
    const { cards } = this.#options
    const text = keyText(key)
    const entry = this.#reads.usable(key, text)
    if (isOwn(entry?.state)) return entry.view
    return cards === undefined
      ? this.#created(key, text).then(viewIn)
      : this.#viewByCard(cards.current(key), key, text, entry)
  }

  forRead(
    key: LogicalKey,
    { consistent, atLeast = 1 }: { readonly consistent: boolean; readonly atLeast?: number },
  ): ShardView | Promise<ShardView> {
    const { cards, growsAtOnce } = this.#options
    // mark: consistent-query-asks-the-shard-map
    if (consistent && growsAtOnce) return this.viewNow(key)
    const text = keyText(key)
    const enough = (view: ShardView) => (view.readable >= atLeast ? view : this.viewNow(key))
    // mark: cached-view-has-a-lifetime
    const entry = this.#reads.usable(key, text)
    if (isOwn(entry?.state) || cards === undefined) {
      return entry === undefined
        ? this.#reads.readFor(key, text).then(viewIn).then(enough)
        : enough(entry.view)
    }
    const view = this.#viewByCard(cards.current(key), key, text, entry)
    return view instanceof Promise ? view.then(enough) : enough(view)
  }

  guess(key: LogicalKey): ShardView | undefined {
    const { clock, growsAtOnce } = this.#options
    const last = growsAtOnce ? this.lastView(key) : undefined
    if (last === undefined || last.moves !== undefined) return undefined
    const entry = this.#states.peek(keyText(key))
    // The read is valid if `forRead` confirms the view. A count of the key's own was not written since, however old it is. A key without
    // one could have got one, but no items were in other shards for so long before it is without one again.
    const isOfKey = isOwn(entry?.state) && last === entry.view
    return { ...last, validUntil: isOfKey ? Number.POSITIVE_INFINITY : clock.now() + REPLICAS_MILLISECONDS }
  }

  oneShard(key: LogicalKey): ShardView | undefined | Promise<ShardView | undefined> {
    const { cards, growsAtOnce } = this.#options
    if (!growsAtOnce || cards === undefined) return undefined
    const entry = this.#reads.usable(key, keyText(key))
    if (isOwn(entry?.state)) return inOneShard(entry.view)
    const byCard = (card: KnownCard) => (isListed(card, key) ? undefined : inOneShard(card.view))
    const card = cards.current(key)
    return card instanceof Promise ? card.then(byCard) : byCard(card)
  }

  checkTable(key: LogicalKey): Promise<unknown> | undefined {
    const card = this.#options.cards?.current(key)
    return card instanceof Promise ? card : undefined
  }

  async viewNow(key: LogicalKey): Promise<ShardView> {
    // A process with other options learns of that first.
    const card = await this.#options.cards?.current(key)
    return this.#viewIn(await this.#reads.readAgain(key), card)
  }

  /** The cached state, which may be expired. For decisions that are checked again before they take effect. */
  peek(key: LogicalKey): ShardState | undefined {
    const entry = this.#states.peek(keyText(key))
    const { cards } = this.#options
    if (isOwn(entry?.state) || cards === undefined) return entry?.state
    const card = cards.peek()
    // A key without an item has the initial count, too.
    return card === undefined || (isListed(card, key) && entry === undefined) ? undefined : card.initial
  }

  /** The last view of a key, which may have expired. `undefined` if its count was never read. */
  lastView(key: LogicalKey): ShardView | undefined {
    const entry = this.#states.peek(keyText(key))
    const card = this.#options.cards?.peek()
    const byCard = card === undefined || isListed(card, key) ? undefined : card.view
    if (byCard === undefined) return entry && this.#viewIn(entry, card)
    return isOwn(entry?.state) && entry.view.validUntil >= byCard.validUntil ? entry.view : byCard
  }

  /** Since when this process has known the count that it knows now; `undefined` if it knows none. */
  countSince(key: LogicalKey): number | undefined {
    return this.#states.peek(keyText(key))?.countSince
  }

  /** Reads the current state. Does not join a read in progress, because that one may return an older state. */
  async reread(key: LogicalKey): Promise<ShardState | undefined> {
    // A key without a count of its own has that of the card.
    await this.#options.cards?.current(key)
    return (await this.#reads.readAgain(key)).state
  }

  /**
   * Adds heat to the totals of the key. The answer is also a read of the shard map.
   * @returns the state after it, which has another count if the heat was not added; `undefined` if there is none
   */
  async report(key: LogicalKey, { shards }: ShardState, heat: HeatTotals): Promise<ShardState | undefined> {
    const { clock, store } = this.#options
    const askedAt = clock.now()
    const state = await store.report(key, shards, heat)
    if (state !== undefined && (isOwn(state) || state.shards === shards)) {
      return this.#reads.answered(key, state, askedAt).state
    }
    if (this.#options.cards === undefined) return this.reread(key)
    // A key that was never hot has no item yet, or one from before the table was migrated.
    const present = state === undefined ? await this.ensure(key) : await this.#repeatInitial(key, state)
    const reported = present.shards === shards ? await store.report(key, shards, heat) : undefined
    return reported === undefined ? present : this.#reads.answered(key, reported, askedAt).state
  }

  /** Refreshes the cached entry in the background, if it is older than this. */
  refreshIfOlder(key: LogicalKey, milliseconds: number): boolean {
    const { cards } = this.#options
    return cards === undefined || isOwn(this.#states.peek(keyText(key))?.state)
      ? this.#reads.refreshIfOlder(key, milliseconds)
      : cards.refreshIfOlder(key, milliseconds)
  }

  /** Reads the current state. Adds the key to the shard map if it has no item. */
  async ensure(key: LogicalKey): Promise<ShardState> {
    return (await this.reread(key)) ?? stateOf(await this.#created(key, keyText(key)))
  }

  /**
   * Begins a change of a state at rest. The key is listed first, after its state was read and before it is replaced. So nobody takes it
   * off the card in between: that changes the state, too.
   *
   * A key without a count of its own begins with the initial one, which the card must still have when the key is listed. Who migrates the
   * table after that finds the key on the card, and writes its item before anything moves. So this change is refused by the lock then.
   * @returns the new state, or `undefined` if another process was first
   */
  async begin<Next extends ShardState>(
    key: LogicalKey,
    seen: ShardState,
    next: Next,
    growth?: Growth,
  ): Promise<Next | undefined> {
    const { cards } = this.#options
    // A key that has no count of its own does not change while all of them do.
    if (!isOwn(seen) && isChanging(seen)) return undefined
    // mark: key-is-listed-before-it-changes
    if ((await cards?.list(key, seen.initialAsOf)) === false) return undefined
    return this.replace(key, seen, next, growth)
  }

  /**
   * Ends a change. Where the key has the initial count again, it comes off the card, unless somebody has listed a key since before the
   * last write: a process that begins a change now has read the state after that write, and lists the key after that.
   * @returns as `replace`
   */
  async end<Next extends ShardState>(
    key: LogicalKey,
    seen: ShardState,
    next: Next,
  ): Promise<Next | undefined> {
    const replaced = await this.replace(key, seen, next)
    // A key that stays on the card costs a little, and nothing else.
    if (replaced !== undefined) await this.#unlist(key, replaced).catch(this.#options.onRefreshFailed)
    return replaced
  }

  /** Whether the key has a count of its own, by a read of its item and of the card that are still valid. */
  async hasOwnCount(key: LogicalKey): Promise<boolean> {
    const { cards } = this.#options
    await this.forWrite(key)
    const card = await cards?.current(key)
    return (card === undefined || isListed(card, key)) && isOwn(this.#states.peek(keyText(key))?.state)
  }

  /** If the key has the initial count, takes it off the card, and marks its item as one that only repeats that count. */
  async unlist(key: LogicalKey): Promise<void> {
    const state = await this.reread(key)
    if (isOwn(state)) await this.#unlist(key, state)
  }

  /** @returns the new state, or `undefined` if another process was first; in both cases the current state is then cached */
  async replace<Next extends ShardState>(
    key: LogicalKey,
    seen: ShardState,
    next: Next,
    growth?: Growth,
  ): Promise<Next | undefined> {
    const { clock, store } = this.#options
    const askedAt = clock.now()
    if (await store.replace(key, seen, next, growth)) {
      this.#states.learn(key, next, askedAt)
      return next
    }
    await this.#reads.readAgain(key)
    return undefined
  }

  /** Takes a key with the initial count off the card, and marks its item as one that only repeats that count. */
  async #unlist(key: LogicalKey, state: ShardState): Promise<void> {
    const { cards, clock } = this.#options
    const known = cards?.peek()
    if (cards === undefined || known === undefined || !isSameCount(state, known.initial)) return
    const { initial, listed, version } = await cards.readNow(key)
    if (!isSameCount(state, initial)) return
    const lastUpdated = later(state, Math.floor(clock.now() / 1_000))
    const repeating = { ...state, lastUpdated, initialAsOf: initial.lastUpdated }
    const replaced = await this.replace(key, state, repeating)
    if (replaced !== undefined && listed !== 'all') await cards.unlist(key, version)
  }

  /** Writes the present initial state to an item that repeats an earlier one. */
  async #repeatInitial(key: LogicalKey, seen: ShardState): Promise<ShardState> {
    const { clock } = this.#options
    const card = await this.#options.cards?.readNow(key)
    if (card === undefined) return seen
    const lastUpdated = later(seen, Math.floor(clock.now() / 1_000))
    const next = { ...repeatedState(card.initial, lastUpdated), lastUpdated }
    return (await this.replace(key, seen, next)) ?? this.ensure(key)
  }

  #viewByCard(
    card: KnownCard | Promise<KnownCard>,
    key: LogicalKey,
    text: string,
    entry: KnownState | undefined,
  ): ShardView | Promise<ShardView> {
    if (card instanceof Promise) return card.then((read) => this.#viewByCard(read, key, text, entry))
    if (!isListed(card, key)) return card.view
    return entry === undefined
      ? this.#reads.readFor(key, text).then((read) => this.#viewIn(read, card))
      : this.#viewIn(entry, card)
  }

  /**
   * The view of a key that was read. One without a count of its own has that of the card, as long as both reads are valid. The options of
   * this process may say another count: that of before a migration.
   */
  #viewIn({ state, view }: KnownState, card: KnownCard | undefined): ShardView {
    return isOwn(state) || card === undefined ? view : limitedView(card.view, view.validUntil)
  }

  #created(key: LogicalKey, text: string): Promise<KnownState> {
    return this.#creations.join(text, async () => {
      const read = await this.#reads.readFor(key, text)
      if (read.state !== undefined) return read
      const { clock, store, cards, initial } = this.#options
      const askedAt = clock.now()
      const epochSeconds = Math.floor(askedAt / 1_000)
      const card = await cards?.current(key)
      const state =
        card === undefined ? firstState(initial, epochSeconds) : repeatedState(card.initial, epochSeconds)
      const created = await store.create(key, state)
      return this.#states.learn(key, currentState(created, cards?.peek()?.initial), askedAt)
    })
  }
}

function inOneShard(view: ShardView): ShardView | undefined {
  return view.readable === 1 && view.moves === undefined ? view : undefined
}

function viewIn({ view }: KnownState): ShardView {
  return view
}

function stateOf({ state }: KnownState): ShardState {
  if (state === undefined) throw new Error('A created key has no state.')
  return state
}
