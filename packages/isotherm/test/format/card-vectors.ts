import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import {
  applyUpdate,
  bindCondition,
  bindUpdate,
  type Item,
  matches,
  Placeholders,
  parseCondition,
  parseUpdate,
} from '@isotherm/semantics'
import { EVERYTHING } from '../../src/client/everything.js'
import { parseOptions } from '../../src/client/parse-options.js'
import { IsothermError } from '../../src/errors/isotherm-error.js'
import type { LogicalKey } from '../../src/keys/key.js'
import { isChanging, isOwn, type ShardState } from '../../src/protocol/states/shard-state.js'
import { fromAttributes } from '../../src/protocol/stored-state/shard-map-item.js'
import { cardOf } from '../../src/protocol/table-card/card-item.js'
import { whyLost } from '../../src/protocol/table-card/card-origin.js'
import { dynamicSettings } from '../../src/protocol/table-card/card-settings.js'
import {
  type CardUpdate,
  listing,
  listingAll,
  unlisting,
} from '../../src/protocol/table-card/card-updates.js'
import { isListed, type TableCard } from '../../src/protocol/table-card/table-card.js'
import { dynamicShards } from '../../src/scaling/shards.js'
import { calculated } from '../../src/writes/calculated.js'
import { type Section, section } from './vector-section.js'

type Attributes = Readonly<Record<string, AttributeValue>>

const TABLE = { name: 'orders', shardMap: 'orders_shard_map' }
const N = (value: number) => ({ N: String(value) })
const MADE = '1700000000000:one'

/** Options as an application has them, in words that every language has. */
interface Options {
  readonly partitionKey: string
  readonly sortKey?: string
  readonly suffix: 'random' | 'calculated'
  readonly from?: readonly string[]
  readonly initial?: number
  readonly delimiter?: string
  readonly adopt?: boolean
}

const options: readonly Options[] = [
  { partitionKey: 'customer', sortKey: 'order_id', suffix: 'calculated' },
  { partitionKey: 'customer', sortKey: 'order_id', suffix: 'calculated', from: ['order_id'] },
  { partitionKey: 'customer', sortKey: 'order_id', suffix: 'calculated', from: ['customer', 'order_id'] },
  { partitionKey: 'file', sortKey: 'at', suffix: 'random', initial: 8, delimiter: '#' },
  { partitionKey: 'customer', sortKey: 'order_id', suffix: 'calculated', adopt: true },
]

const settings = {
  partitionKey: { S: 'customer' },
  sortKey: { S: 'order_id' },
  suffix: { S: 'calculated' },
  shards: { S: 'dynamicShards' },
  initial: { S: '2' },
  delimiter: { S: '_' },
  adopt: { S: 'false' },
}

const card = (more: Attributes = {}): Attributes => ({
  format: N(1),
  settings: { M: settings },
  version: N(3),
  made: { S: MADE },
  table_name: { S: 'orders' },
  shard_map_name: { S: 'orders_shard_map' },
  ...more,
})

const withState = (more: Attributes): Attributes =>
  card({ format: N(2), accepted_initials: { SS: ['2', '4'] }, ...more })

const migrated = withState({
  number_of_shards: N(4),
  last_updated: N(200),
  shard_history: { SS: ['0:2', '200:4'] },
})
const migrating = withState({
  number_of_shards: N(4),
  last_updated: N(200),
  shard_history: { SS: ['0:2', '200:4'] },
  phase: { S: 'moved' },
  from_shards: N(2),
  to_shards: N(4),
  migrating_to: N(4),
})
const full = card({ lists_all: { BOOL: true } })
const listingOne = card({ listed_keys: { SS: ['acme'] } })
const ofBytes = card({ listed_keys: { BS: [new Uint8Array([1, 2])] } })

const cards: readonly Attributes[] = [card(), listingOne, ofBytes, full, migrated, migrating]
const noCards: readonly Attributes[] = [
  card({ format: N(3) }),
  card({ rebuilding: { S: 'one' } }),
  { format: N(1), version: N(1) },
  withState({ number_of_shards: { S: 'two' }, last_updated: N(200) }),
]

const own: Attributes = {
  number_of_shards: N(9),
  last_updated: N(300),
  shard_history: { SS: ['100:2', '300:9'] },
}
const repeating: Attributes = {
  number_of_shards: N(2),
  last_updated: N(100),
  shard_history: { SS: ['100:2'] },
  initial_as_of: N(0),
}

function shown(state: ShardState) {
  const { phase, shards, lastUpdated, history } = state
  return {
    phase,
    shards,
    lastUpdated,
    history,
    ...(isChanging(state) ? { from: state.from, to: state.to } : {}),
  }
}

function read(attributes: Attributes): TableCard {
  return cardOf(TABLE, attributes)
}

function carriedOut(item: Attributes, update: CardUpdate): Attributes | 'refused' {
  const placeholders = () =>
    new Placeholders(
      update.ExpressionAttributeNames,
      update.ExpressionAttributeValues as unknown as Item | undefined,
    )
  const condition = String(update.ConditionExpression)
  const bound = bindCondition(
    'ConditionExpression',
    parseCondition('ConditionExpression', condition),
    placeholders(),
  )
  if (!matches(bound, item as unknown as Item)) return 'refused'
  const bindings = bindUpdate(parseUpdate(String(update.UpdateExpression)), placeholders())
  return applyUpdate(bindings, item as unknown as Item) as unknown as Attributes
}

const acme = { S: 'acme' } as LogicalKey
const other = { S: 'other' } as LogicalKey

export const cardSections: Readonly<Record<string, Section>> = {
  /** The settings that a process writes and compares, by its options. */
  settings: section(
    options.map((each) => ({ options: each })),
    ({ options: { suffix, from, initial = 1, ...rest } }) => {
      const given = {
        ...rest,
        suffix: suffix === 'random' ? suffix : calculated(from === undefined ? {} : { from }),
        shards: dynamicShards({ initial }),
      }
      const [parsed] = parseOptions({ tables: { [TABLE.name]: given } }, EVERYTHING).tables
      if (parsed === undefined) throw new Error('The options have a table.')
      return { settings: { ...dynamicSettings(parsed, initial) } }
    },
  ),
  /** What a card says, or the error. Bytes of listed keys are a text of one character for each, sorted. */
  cards: section(
    [...cards, ...noCards].map((item) => ({ item })),
    ({ item }) => {
      try {
        const { listed, initial, acceptedInitials, migration, version } = read(item)
        return {
          card: {
            listed: listed === 'all' ? 'all' : [...listed].sort(),
            initial: shown(initial),
            accepted: [...acceptedInitials].sort(),
            ...(migration === undefined ? {} : { migratingTo: migration.to }),
            version,
          },
        }
      } catch (error) {
        if (error instanceof IsothermError) return { error: error.code }
        throw error
      }
    },
  ),
  /** Whether the item of a key is read, and the state of the key, by the card and its item. */
  keys: section(
    cards
      .filter((each) => each !== ofBytes)
      .flatMap((item) =>
        [acme, other].flatMap((key) =>
          [undefined, own, repeating].map((ownItem) => ({ item, key, ownItem })),
        ),
      )
      .map(({ item, key, ownItem }) => ({
        card: item,
        key,
        ...(ownItem === undefined ? {} : { item: ownItem }),
      })),
    ({ card: item, key, item: ownItem }: { card: Attributes; key: LogicalKey; item?: Attributes }) => {
      const known = read(item)
      const isRead = isListed(known, key)
      const state = isRead && ownItem !== undefined ? fromAttributes(TABLE.shardMap, ownItem) : undefined
      return { isRead, state: shown(isOwn(state) ? state : known.initial) }
    },
  ),
  /** The card after an update, with a version one higher, or that it is refused. */
  updates: section(
    [
      ...[card(), listingOne, full, migrated].flatMap((item) =>
        [undefined, 0, 200].map((asOf) => ({
          item,
          list: acme,
          ...(asOf === undefined ? {} : { initialAsOf: asOf }),
        })),
      ),
      { item: listingOne, list: other },
      { item: listingOne, listAll: true },
      { item: listingOne, unlist: acme, version: 3 },
      { item: listingOne, unlist: acme, version: 2 },
    ],
    (input: {
      item: Attributes
      list?: LogicalKey
      listAll?: boolean
      unlist?: LogicalKey
      version?: number
      initialAsOf?: number
    }) => {
      const { item, list, unlist, version = 0, initialAsOf } = input
      if (list !== undefined)
        return { after: carriedOut(item, listing(list, read(item).listed, initialAsOf)) }
      if (unlist !== undefined) return { after: carriedOut(item, unlisting(unlist, version)) }
      return { after: carriedOut(item, listingAll(initialAsOf)) }
    },
  ),
  /** Whether the shard map was lost between two reads of the card, and why. */
  lost: section(
    [
      { first: card(), second: card({ version: N(4) }) },
      { first: card({ version: N(4) }), second: card() },
      { first: listingOne },
      { first: card() },
      { first: listingOne, second: card({ made: { S: '1800000000000:two' } }) },
      { first: listingOne, second: card({ made: { S: '1800000000000:two' }, rebuilt: { BOOL: true } }) },
      { first: listingOne, second: card({ made: { S: '1600000000000:two' }, rebuilt: { BOOL: true } }) },
      { first: card(), second: card({ made: { S: '1800000000000:two' } }) },
      { first: migrated, second: card({ made: { S: '1800000000000:two' } }) },
    ],
    ({ first, second }: { first: Attributes; second?: Attributes }) => {
      const why = whyLost({ ...read(first), hasListed: false }, second && read(second))
      return { lost: why ?? 'no' }
    },
  ),
}
