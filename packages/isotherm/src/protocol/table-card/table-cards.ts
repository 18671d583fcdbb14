import type { Clock } from '@isotherm/runtime'
import { IsothermError } from '../../errors/isotherm-error.js'
import { keyText, type LogicalKey, plainKey } from '../../keys/key.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import { firstState } from '../states/shard-state.js'
import { type ShardView, viewOf } from '../states/shard-view.js'
import { lostCard, requireOwn, whyLost } from './card-origin.js'
import { type CardSettings, requireSame } from './card-settings.js'
import { CARD_KEY } from './own-keys.js'
import { isListed, type TableCard } from './table-card.js'
import type { TableCardStore } from './table-card-store.js'

/** After this share of its lifetime, a card in use is refreshed in the background, so that no request waits for it. */
const REFRESH_AFTER = 0.5

/** A card as one process knows it. */
export interface KnownCard extends TableCard {
  /** The view of every key that is not listed. It expires one lifetime after the read of the card was sent. */
  readonly view: ShardView
}

export interface TableCardsOptions {
  readonly table: ShardedTable
  readonly store: Pick<TableCardStore, 'read' | 'find' | 'list' | 'listAll' | 'unlist'>
  readonly clock: Clock
  readonly initial: number
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
  #reading: Promise<KnownCard> | undefined

  constructor(options: TableCardsOptions) {
    this.#options = options
  }

  /**
   * The card, while it is valid.
   * @param like a key of the table
   * @throws IsothermError `card.differs` if the table is sharded in another way; `key.ambiguous` for the key of the card itself
   */
  current(like: LogicalKey): KnownCard | Promise<KnownCard> {
    const { clock, table, onRefreshFailed } = this.#options
    if (keyText(like) === CARD_KEY) throw isKeyOfCard(table, like)
    const known = this.#known
    const left = known === undefined ? 0 : known.view.validUntil - clock.now()
    if (known === undefined || left <= 0) {
      // A refresh that was lost need not fail the requests that came later.
      return this.#reading?.catch(() => this.#read(like)) ?? this.#read(like)
    }
    if (left <= table.cacheMilliseconds * (1 - REFRESH_AFTER) && this.#reading === undefined) {
      this.#read(like).catch(onRefreshFailed)
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
    if (age === undefined || age < milliseconds || this.#reading !== undefined) return false
    this.#read(like).catch(onRefreshFailed)
    return true
  }

  /** The view by the card before this one, if the key was not listed there. Requests of this process may still use it. */
  stillInUse(key: LogicalKey): ShardView | undefined {
    const earlier = this.#earlier
    return earlier === undefined || isListed(earlier, key) ? undefined : earlier.view
  }

  /** Lists a key whose count is about to change. If the card is full, all keys count as listed from then on. */
  async list(key: LogicalKey): Promise<void> {
    const { store } = this.#options
    if (await store.list(key, await this.current(key))) return
    // The card is full, or another process has changed or deleted it.
    if (await store.list(key, await this.#readNow(key))) return
    await store.listAll(key)
  }

  /** The present version of the card, for `unlist`; `undefined` if the key is not on it by itself. */
  async version(key: LogicalKey): Promise<number | undefined> {
    const { listed, version } = await this.#readNow(key)
    return listed !== 'all' && listed.has(keyText(key)) ? version : undefined
  }

  /** Takes a key off the card, unless the card has changed since that version. */
  unlist(key: LogicalKey, version: number): Promise<void> {
    return this.#options.store.unlist(key, version)
  }

  #read(like: LogicalKey): Promise<KnownCard> {
    this.#reading ??= this.#readNow(like).finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readNow(like: LogicalKey): Promise<KnownCard> {
    const { store, clock, table, initial, settings } = this.#options
    const before = this.#known
    const askedAt = clock.now()
    const card = before === undefined ? await store.read(like, settings) : await this.#readAfter(before, like)
    requireSame(table, card.settings, settings)
    requireOwn(table, card)
    // mark: card-has-a-lifetime
    const validUntil = askedAt + table.cacheMilliseconds
    const known = { ...card, view: viewOf(firstState(initial, 0), validUntil) }
    // Responses may arrive out of order.
    if (this.#known !== undefined && this.#known.view.validUntil > validUntil) return known
    this.#earlier = this.#known
    this.#known = known
    return known
  }

  /** A card that had keys is not made again. What the shard map said of them would be lost. */
  async #readAfter(before: KnownCard, like: LogicalKey): Promise<TableCard> {
    const { store, table, settings } = this.#options
    const first = await store.find(like)
    if (first !== undefined && whyLost(before, first) === undefined) return first
    // A read that was sent at the same time as another one may have been carried out before it. This one is carried out after both.
    const card = await store.find(like)
    const reason = whyLost(before, card)
    if (reason !== undefined) throw lostCard(table, reason)
    return card ?? store.read(like, settings)
  }
}

function isKeyOfCard({ name, shardMap }: ShardedTable, key: LogicalKey): IsothermError<'key.ambiguous'> {
  return new IsothermError(
    'key.ambiguous',
    `The partition key ${CARD_KEY} of ${name} is the one under which its shard map ${shardMap} has the table's card. Choose another key.`,
    { table: name, logicalKey: plainKey(key) },
  )
}
