import {
  type AttributeValue,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import type { Clock, Random } from '@isotherm/runtime'
import { requestToken } from '../../attempts/request-token.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { LogicalKey } from '../../keys/key.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import { isRefusedByCondition } from '../../sdk/condition-refusal.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'
import type { ShardState } from '../states/shard-state.js'
import { SHARD_MAP_ATTRIBUTES } from '../stored-state/shard-map-attributes.js'
import { cardOf, firstCardItem } from './card-item.js'
import { lostCard, newOrigin } from './card-origin.js'
import type { CardSettings } from './card-settings.js'
import {
  type CardUpdate,
  type InitialChange,
  listing,
  listingAll,
  listingOnly,
  mayHold,
  replacingInitial,
  unlisting,
} from './card-updates.js'
import { describedTable } from './described-table.js'
import { type ChangingCounts, requireSafeRegions } from './global-table.js'
import { isShardMapEmpty } from './is-shard-map-empty.js'
import { guardedByMap } from './missing-shard-map.js'
import { CARD_KEY, keyLike } from './own-keys.js'
import { requireTable } from './require-table.js'
import { sendUntilAnswered } from './send-until-answered.js'
import type { TableCard } from './table-card.js'

/** How often the card is looked for, and made if it is not there. Only somebody who deletes it makes a second round fail. */
const MAX_ROUNDS = 3

interface TableCardStoreOptions {
  readonly options: ShardedTable
  readonly client: PhysicalClient
  readonly clock: Clock
  readonly random: Random
  /**
   * Compares where items of the table are with the options and the shard map, before a card is made.
   * @param isEmpty whether the shard map has no item of a key
   */
  readonly requireItems: (isEmpty: boolean) => Promise<void>
  readonly counts: ChangingCounts
}

/** Reads and writes the card of a table. Caches nothing. */
export class TableCardStore {
  readonly #table: TableCardStoreOptions

  constructor(table: TableCardStoreOptions) {
    this.#table = table
  }

  /**
   * Reads the card, or makes it with these settings, if the table has the keys that the options say.
   * @param like a key of the table, whose type the card's key has
   * @throws IsothermError `card.lost` if the card is there when it is to be made, and gone when it is read, again and again
   */
  async read(like: LogicalKey, settings: CardSettings): Promise<TableCard> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const card = (await this.find(like)) ?? (await this.#make(like, settings))
      if (card !== undefined) return card
    }
    throw lostCard(this.#table.options, 'missing')
  }

  /** Reads the card. */
  async find(like: LogicalKey): Promise<TableCard | undefined> {
    const { client, options } = this.#table
    const command = new GetItemCommand({ ...this.#item(like), ConsistentRead: true })
    const { Item } = await guardedByMap(options, () => client.send(command)).catch((error) =>
      this.#withoutMap(error),
    )
    return Item && cardOf(options, Item)
  }

  /**
   * Lists a key. On a card that lists all keys, it only raises the version.
   * @param card as it was read last
   * @param initialAsOf for a key without a count of its own: the initial state from which its change begins. The card must still have it.
   * @returns false if the card is full, or another one than was read
   */
  async list(
    key: LogicalKey,
    { listed }: Pick<TableCard, 'listed'>,
    initialAsOf: number | undefined,
  ): Promise<boolean> {
    return mayHold(listed) && this.#update(key, listing(key, listed, initialAsOf))
  }

  /**
   * Says on the card that the count of any key may be another one.
   * @param initialAsOf as for `list`
   * @returns false if the card has another initial state
   */
  listAll(like: LogicalKey, initialAsOf: number | undefined): Promise<boolean> {
    return this.#update(like, listingAll(initialAsOf))
  }

  /** Takes a key off the card, unless the card was changed after that version was read. */
  async unlist(key: LogicalKey, version: number): Promise<void> {
    await this.#update(key, unlisting(key, version))
  }

  /**
   * Lists these keys and no others, unless the card was changed after that version was read.
   * @returns whether it was not
   */
  listOnly(like: LogicalKey, keys: readonly LogicalKey[], version: number): Promise<boolean> {
    return this.#update(like, listingOnly(keys, version))
  }

  /**
   * Replaces the initial state that was seen, unless another process has changed it.
   * @returns whether it was replaced
   */
  replaceInitial(
    like: LogicalKey,
    seen: ShardState,
    next: ShardState,
    change: InitialChange,
  ): Promise<boolean> {
    const write = requestToken(this.#table.random)
    return this.#update(
      like,
      replacingInitial(seen, next, change, write),
      (item) => item?.[SHARD_MAP_ATTRIBUTES.lastWrite]?.S === write,
    )
  }

  /**
   * @param isOwn whether a card that the condition refuses is the result of this very update, whose response was lost
   * @returns whether the update was carried out
   */
  async #update(
    like: LogicalKey,
    update: CardUpdate,
    isOwn: (item: Readonly<Record<string, AttributeValue>> | undefined) => boolean = () => false,
  ): Promise<boolean> {
    const { client, options } = this.#table
    const command = new UpdateItemCommand({
      ...this.#item(like),
      ...update,
    })
    try {
      await sendUntilAnswered(this.#table, () => guardedByMap(options, () => client.send(command)))
      return true
    } catch (error) {
      if (isRefusedByCondition(error)) return isOwn(error.Item)
      throw error
    }
  }

  /** @returns `undefined` if another process was first, and its card was not read */
  async #make(like: LogicalKey, settings: CardSettings): Promise<TableCard | undefined> {
    const { client, options, requireItems, counts } = this.#table
    // The table itself is looked at once, by the process that makes the card. Others compare with the card.
    await requireTable(options, client, (described) => requireSafeRegions(options, described, counts))
    // A shard map without a card may have items from before there was one. Then any key may have an item.
    const isEmpty = await isShardMapEmpty(this.#table, like)
    try {
      // mark: empty-shard-map-is-compared-with-the-table
      await requireItems(isEmpty)
    } catch (error) {
      // Another process may have made the card meanwhile, and stored items in more shards.
      const made = await this.find(like)
      if (made !== undefined) return made
      throw error
    }
    return this.#create(like, settings, isEmpty)
  }

  /** @returns `undefined` if another process was first */
  async #create(like: LogicalKey, settings: CardSettings, isEmpty: boolean): Promise<TableCard | undefined> {
    const { client, options } = this.#table
    const { TableName, Key } = this.#item(like)
    const item = firstCardItem(settings, newOrigin(options, this.#table), isEmpty)
    const command = new PutItemCommand({
      TableName,
      Item: {
        ...Key,
        ...item,
      },
      ConditionExpression: 'attribute_not_exists(#key)',
      ExpressionAttributeNames: { '#key': options.partitionKey },
    })
    try {
      await guardedByMap(options, () => client.send(command))
      return cardOf(options, item)
    } catch (error) {
      if (isRefusedByCondition(error)) return undefined
      throw error
    }
  }

  /** A misspelt table has no shard map either. */
  async #withoutMap(error: unknown): Promise<never> {
    const { client, options } = this.#table
    if (error instanceof IsothermError && error.code === 'shard-map.missing')
      await describedTable(options.name, client)
    throw error
  }

  #item(like: LogicalKey): { readonly TableName: string; readonly Key: Record<string, AttributeValue> } {
    const { shardMap, partitionKey } = this.#table.options
    return { TableName: shardMap, Key: { [partitionKey]: keyLike(like, CARD_KEY) } }
  }
}
