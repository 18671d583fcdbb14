import {
  type AttributeValue,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import type { Clock, Random } from '@isotherm/runtime'
import { IsothermError } from '../../errors/isotherm-error.js'
import { keyText, type LogicalKey } from '../../keys/key.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import { isRefusedByCondition } from '../../sdk/condition-refusal.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'
import { CARD_ATTRIBUTES, firstCardItem, readSettings, settingsAttribute } from './card-item.js'
import { newOrigin } from './card-origin.js'
import { areSame, type CardSettings, REPLACE_REBUILT_CARD, requireSame } from './card-settings.js'
import { mayHold, setOf } from './card-updates.js'
import { CARD_KEY, keyLike } from './own-keys.js'

interface RebuiltTable {
  readonly options: ShardedTable
  readonly client: PhysicalClient
  readonly clock: Clock
  readonly random: Random
  /** Whether the rebuild may take the place of a card with other settings. */
  readonly replacesCard?: boolean
}

/** A table that is compared with its card. */
type ComparedTable = Pick<RebuiltTable, 'options' | 'client' | 'replacesCard'>

/** How far a rebuild is. */
export interface RebuildCheckpoint {
  /** `table`: the items are being read. `keys`: the counts of keys are being found. */
  readonly pass: 'table' | 'keys'
  /** The last item of the pass over the table. */
  readonly lastKey?: Record<string, AttributeValue> | undefined
}

/**
 * Compares the options with the card that a rebuild would replace. A shard map that does not exist has none.
 * @param like a key of the table, whose type the card's key has
 * @throws IsothermError `card.differs` if there is a card with other settings, and the rebuild is not allowed to replace it
 */
export async function requireRebuildable(
  table: ComparedTable,
  like: LogicalKey,
  settings: CardSettings,
): Promise<void> {
  try {
    await readBefore(table, like, settings)
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ResourceNotFoundException')) throw error
  }
}

/** The item in the place of the card, and the settings of the card that is or was there. @throws IsothermError `card.differs` */
async function readBefore(
  { options, client, replacesCard }: ComparedTable,
  like: LogicalKey,
  settings: CardSettings,
): Promise<{ readonly item: Record<string, AttributeValue>; readonly before: CardSettings | undefined }> {
  const { Item: item = {} } = await client.send(
    new GetItemCommand({ ...cardKey(options, like), ConsistentRead: true }),
  )
  const before =
    readSettings(item[CARD_ATTRIBUTES.settings]) ?? readSettings(item[CARD_ATTRIBUTES.settingsBefore])
  // With any initial count, the rebuild finds the keys that have another one.
  if (before !== undefined && replacesCard !== true) {
    requireSame(options, before, settings, new Set([settings.initial ?? '']), REPLACE_REBUILT_CARD)
  }
  return { item, before }
}

/**
 * The mark in the place of the card while the shard map is being rebuilt. A process that reads it refuses to go by the shard map.
 */
export class RebuildMark {
  readonly #table: RebuiltTable
  readonly #like: LogicalKey
  readonly #settings: CardSettings
  readonly #name: string
  readonly #accepted: readonly string[]
  /** Where a rebuild with the same settings has stopped. */
  readonly checkpoint: RebuildCheckpoint | undefined

  private constructor(
    table: RebuiltTable,
    begun: {
      readonly like: LogicalKey
      readonly settings: CardSettings
      readonly name: string
      readonly accepted: readonly string[]
      readonly checkpoint: RebuildCheckpoint | undefined
    },
  ) {
    this.#table = table
    this.#like = begun.like
    this.#settings = begun.settings
    this.#name = begun.name
    this.#accepted = begun.accepted
    this.checkpoint = begun.checkpoint
  }

  /**
   * Puts the mark, or takes over that of a rebuild that has stopped.
   * @param like a key of the table, whose type the card's key has
   * @throws IsothermError `card.differs` if there is a card with other settings, and the rebuild is not allowed to replace it
   */
  static async put(table: RebuiltTable, like: LogicalKey, settings: CardSettings): Promise<RebuildMark> {
    const { options, client } = table
    const { TableName, Key } = cardKey(options, like)
    const { item: Item, before } = await readBefore(table, like, settings)
    const begun = readSettings(Item[CARD_ATTRIBUTES.settingsAfter])
    const stored = areSame(begun, settings) ? Item[CARD_ATTRIBUTES.checkpoint] : undefined
    const { made: name } = newOrigin(options, table)
    // Processes that had another initial count may keep it in their options.
    const accepted = [
      ...new Set([
        ...(Item[CARD_ATTRIBUTES.acceptedInitials]?.SS ?? []),
        ...(before?.initial ? [before.initial] : []),
      ]),
    ]
    const mark: Record<string, AttributeValue> = {
      ...Key,
      ...(accepted.length === 0 ? {} : { [CARD_ATTRIBUTES.acceptedInitials]: { SS: accepted } }),
      [CARD_ATTRIBUTES.rebuilding]: { S: name },
      // Not under the name of the settings: where there are some a key can be listed, and then its count may change.
      [CARD_ATTRIBUTES.settingsAfter]: settingsAttribute(settings),
      ...(before === undefined ? {} : { [CARD_ATTRIBUTES.settingsBefore]: settingsAttribute(before) }),
      ...(stored === undefined ? {} : { [CARD_ATTRIBUTES.checkpoint]: stored }),
    }
    await client.send(new PutItemCommand({ TableName, Item: mark }))
    return new RebuildMark(table, { like, settings, name, accepted, checkpoint: checkpointOf(stored) })
  }

  /** @throws IsothermError `rebuild.overtaken` if another rebuild has begun */
  async save({ pass, lastKey }: RebuildCheckpoint): Promise<void> {
    const { options, client } = this.#table
    await this.#ifStillMine(() =>
      client.send(
        new UpdateItemCommand({
          ...cardKey(options, this.#like),
          UpdateExpression: 'SET #checkpoint = :checkpoint',
          ConditionExpression: '#rebuilding = :name',
          ExpressionAttributeNames: {
            '#checkpoint': CARD_ATTRIBUTES.checkpoint,
            '#rebuilding': CARD_ATTRIBUTES.rebuilding,
          },
          ExpressionAttributeValues: {
            ':name': { S: this.#name },
            ':checkpoint': {
              M: { pass: { S: pass }, ...(lastKey === undefined ? {} : { key: { M: lastKey } }) },
            },
          },
        }),
      ),
    )
  }

  /**
   * Puts the new card in the place of the mark. Processes go by the shard map from then on.
   * @param listed the keys with a count of their own
   * @throws IsothermError `rebuild.overtaken`
   */
  async replaceByCard(listed: readonly LogicalKey[]): Promise<void> {
    const { options, client } = this.#table
    const { TableName, Key } = cardKey(options, this.#like)
    const hasRoom = mayHold(new Set(listed.map(keyText)))
    const [first, ...others] = listed
    const Item: Record<string, AttributeValue> = {
      ...Key,
      ...firstCardItem(this.#settings, newOrigin(options, this.#table), hasRoom),
      ...(hasRoom && first !== undefined ? { [CARD_ATTRIBUTES.keys]: setOf(first, ...others) } : {}),
      ...(this.#accepted.length === 0
        ? {}
        : { [CARD_ATTRIBUTES.acceptedInitials]: { SS: [...this.#accepted] } }),
      [CARD_ATTRIBUTES.rebuilt]: { BOOL: true },
    }
    await this.#ifStillMine(() =>
      client.send(
        new PutItemCommand({
          TableName,
          Item,
          ConditionExpression: '#rebuilding = :name',
          ExpressionAttributeNames: { '#rebuilding': CARD_ATTRIBUTES.rebuilding },
          ExpressionAttributeValues: { ':name': { S: this.#name } },
        }),
      ),
    )
  }

  async #ifStillMine(send: () => Promise<unknown>): Promise<void> {
    try {
      await send()
    } catch (error) {
      if (!isRefusedByCondition(error)) throw error
      const { name, shardMap } = this.#table.options
      throw new IsothermError(
        'rebuild.overtaken',
        `Another rebuild of the shard map ${shardMap} of ${name} has begun, or the card was replaced. Let one of them end.`,
        { table: name, shardMap },
        { cause: error },
      )
    }
  }
}

function checkpointOf(stored: AttributeValue | undefined): RebuildCheckpoint | undefined {
  const pass = stored?.M?.pass?.S
  if (pass !== 'table' && pass !== 'keys') return undefined
  return { pass, lastKey: stored?.M?.key?.M }
}

function cardKey({ shardMap, partitionKey }: ShardedTable, like: LogicalKey) {
  return { TableName: shardMap, Key: { [partitionKey]: keyLike(like, CARD_KEY) } }
}
