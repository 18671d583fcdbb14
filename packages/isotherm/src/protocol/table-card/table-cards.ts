import type { Clock } from '@isotherm/runtime'
import { Flights } from '../../bounded/flights.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import { keyText, type LogicalKey, plainKey } from '../../keys/key.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import { JOINED_MILLISECONDS, REFRESH_AFTER, REFRESH_PAUSE_MILLISECONDS } from '../states/read-pace.js'
import type { ShardState } from '../states/shard-state.js'
import { type ShardView, viewOf } from '../states/shard-view.js'
import { requireOnePhaseApart } from '../states/steps.js'
import { lostCard, requireOwn, whyLost } from './card-origin.js'
import { type CardSettings, REPLACE_REBUILT_CARD, requireSame } from './card-settings.js'
import { type InitialChange, mayHold } from './card-updates.js'
import { CARD_KEY, OWN_KEYS } from './own-keys.js'
import { isListed, type TableCard } from './table-card.js'
import type { TableCardStore } from './table-card-store.js'

/** A card as one process knows it. */
export interface KnownCard extends TableCard {
  /** The view of every key that is not listed. It expires one lifetime after the read of the card was sent. */
  readonly view: ShardView
}

export interface TableCardsOptions {
  readonly table: ShardedTable
  readonly store: Pick<
    TableCardStore,
    'read' | 'find' | 'list' | 'listAll' | 'listOnly' | 'unlist' | 'replaceInitial'
  >
  readonly clock: Clock
  readonly settings: CardSettings
  /** Called when a refresh in the background fails. */
  readonly onRefreshFailed: (error: unknown) => void
}

/**
 * The card of a table as one process sees it: read once, and again before it is one lifetime old. A change waits for that lifetime, as it
 * does for the items of keys.
 */
export class TableCards {
  readonly #options: TableCardsOptions
  #known: KnownCard | undefined
  #earlier: KnownCard | undefined
  readonly #reading: Flights<KnownCard>
  /** Whether this process has listed a key, of which the card that it knows may say nothing yet. */
  #hasListed = false
  /** After a refresh that failed, the next request does not begin another one at once. */
  #nextRefresh = Number.NEGATIVE_INFINITY

  constructor(options: TableCardsOptions) {
    this.#options = options
    this.#reading = new Flights(options.clock, JOINED_MILLISECONDS)
  }

  /**
   * The card, while it is valid.
   * @param like a key of the table
   * @throws IsothermError `card.differs` if the table is sharded in another way; `key.ambiguous` for the key of the card itself
   */
  current(like: LogicalKey): KnownCard | Promise<KnownCard> {
    const { clock, table, onRefreshFailed } = this.#options
    if (keyText(like).startsWith(OWN_KEYS)) throw isOwnKey(table, like)
    const known = this.#known
    const left = known === undefined ? 0 : known.view.validUntil - clock.now()
    if (known === undefined || left <= 0) {
      // A refresh that was lost need not fail the requests that came later.
      return this.#reading.under(CARD_KEY)?.catch(() => this.#read(like)) ?? this.#read(like)
    }
    const isOld = left <= table.cacheMilliseconds * (1 - REFRESH_AFTER)
    if (isOld && this.#reading.under(CARD_KEY) === undefined && clock.now() >= this.#nextRefresh) {
      this.#read(like).catch((error: unknown) => {
        this.#nextRefresh = clock.now() + REFRESH_PAUSE_MILLISECONDS
        onRefreshFailed(error)
      })
    }
    return known
  }

  /** The last card that was read. It may be out of date. */
  peek(): KnownCard | undefined {
    return this.#known
  }

  /** Reads the card again in the background, if it is older than this. */
  refreshIfOlder(like: LogicalKey, milliseconds: number): boolean {
    const { clock, table, onRefreshFailed } = this.#options
    const age = this.#known && table.cacheMilliseconds - (this.#known.view.validUntil - clock.now())
    if (age === undefined || age < milliseconds || this.#reading.under(CARD_KEY) !== undefined) return false
    this.#read(like).catch(onRefreshFailed)
    return true
  }

  /** The view by the card before this one, if the key was not listed there. Requests of this process may still use it. */
  stillInUse(key: LogicalKey): ShardView | undefined {
    const earlier = this.#earlier
    return earlier === undefined || isListed(earlier, key) ? undefined : earlier.view
  }

  /**
   * Lists a key whose count is about to change. If the card is full, all keys count as listed from then on.
   * @param initialAsOf for a key without a count of its own: the initial state from which its change begins
   * @returns false if the card has another initial state by now, so that the change must not begin
   */
  async list(key: LogicalKey, initialAsOf: number | undefined): Promise<boolean> {
    const { store } = this.#options
    this.#hasListed = true
    if (await store.list(key, await this.current(key), initialAsOf)) return true
    // The card is full, or another process has changed or deleted it.
    if (await store.list(key, await this.readNow(key), initialAsOf)) return true
    return store.listAll(key, initialAsOf)
  }

  /**
   * Call this when the shard map has no item of a key. A key has an item before it is listed, and keeps it for good.
   * @param card the card that was known when the read of the item was sent
   * @throws IsothermError `card.lost` if the card lists this key, and not all of them
   */
  requireItem(key: LogicalKey, card: KnownCard | undefined): void {
    const listed = card?.listed ?? 'all'
    if (listed !== 'all' && listed.has(keyText(key))) throw lostCard(this.#options.table, 'item')
  }

  /** Takes a key off the card, unless the card has changed since that version. */
  unlist(key: LogicalKey, version: number): Promise<void> {
    return this.#options.store.unlist(key, version)
  }

  /**
   * Replaces the initial state, unless it is another one than was seen.
   */
  replaceInitial(
    like: LogicalKey,
    seen: ShardState,
    next: ShardState,
    change: InitialChange,
  ): Promise<boolean> {
    return this.#options.store.replaceInitial(like, seen, next, change)
  }

  /** Whether a card has room for these keys. */
  mayList(keys: readonly LogicalKey[]): boolean {
    return mayHold(new Set(keys.map(keyText)))
  }

  /** Lists these keys and no others, unless the card has changed since that version. */
  listOnly(like: LogicalKey, keys: readonly LogicalKey[], version: number): Promise<boolean> {
    return this.#options.store.listOnly(like, keys, version)
  }

  #read(like: LogicalKey): Promise<KnownCard> {
    return this.#reading.join(CARD_KEY, () => this.readNow(like))
  }

  /** Reads the card as it is now. */
  async readNow(like: LogicalKey): Promise<KnownCard> {
    const { store, clock, table, settings, onRefreshFailed } = this.#options
    const seen = this.#known
    const askedAt = clock.now()
    const card = seen === undefined ? await store.read(like, settings) : await this.#readAfter(seen, like)
    requireSame(
      table,
      card.settings,
      settings,
      card.acceptedInitials,
      card.isRebuilt === true ? REPLACE_REBUILT_CARD : undefined,
    )
    requireOwn(table, card)
    // mark: card-has-a-lifetime
    const validUntil = askedAt + table.cacheMilliseconds
    const known = { ...card, view: viewOf(card.initial, validUntil) }
    const before = this.#known
    // Responses may arrive out of order.
    if (before !== undefined && before.view.validUntil > validUntil) return known
    this.#earlier = before
    this.#known = known
    try {
      if (before !== undefined && before.view.validUntil > clock.now()) {
        requireOnePhaseApart(before.initial, card.initial)
      }
    } catch (error) {
      // A migration did not wait between phases. The current request is unaffected: it uses the card just read.
      onRefreshFailed(error)
    }
    return known
  }

  /** A card that had keys is not made again. What the shard map said of them would be lost. */
  async #readAfter(before: KnownCard, like: LogicalKey): Promise<TableCard> {
    const { store, table, settings } = this.#options
    const known = { ...before, hasListed: this.#hasListed }
    const first = await store.find(like)
    if (first !== undefined && whyLost(known, first) === undefined) return first
    // A read that was sent at the same time as another one may have been carried out before it. This one is carried out after both.
    const card = await store.find(like)
    const reason = whyLost(known, card)
    if (reason !== undefined) throw lostCard(table, reason)
    return (
      card ??
      store.read(like, settings).catch((error: unknown) => {
        throw error instanceof IsothermError && error.code === 'items.elsewhere'
          ? lostCard(table, 'missing')
          : error
      })
    )
  }
}

function isOwnKey({ name, shardMap }: ShardedTable, key: LogicalKey): IsothermError<'key.ambiguous'> {
  return new IsothermError(
    'key.ambiguous',
    `The partition key ${String(plainKey(key))} of ${name} begins with ${OWN_KEYS}, as the keys do under which its shard map ${shardMap} has entries of its own. Choose another key.`,
    { table: name, logicalKey: plainKey(key) },
  )
}
