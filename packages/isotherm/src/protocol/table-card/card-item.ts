import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { IsothermError } from '../../errors/isotherm-error.js'
import { keyText, type LogicalKey, type SuffixableKey } from '../../keys/key.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import { firstState, type ShardState } from '../states/shard-state.js'
import { fromAttributes } from '../stored-state/shard-map-item.js'
import { lostCard, type newOrigin } from './card-origin.js'
import { type CardSettings, FORMAT, FORMAT_WITH_STATE } from './card-settings.js'
import type { TableCard } from './table-card.js'

/** The attributes of a card. One with an initial state of its own has those of a state, too. */
export const CARD_ATTRIBUTES = {
  format: 'format',
  settings: 'settings',
  keys: 'listed_keys',
  all: 'lists_all',
  version: 'version',
  acceptedInitials: 'accepted_initials',
  migratingTo: 'migrating_to',
  migratedKey: 'migrated_key',
  made: 'made',
  table: 'table_name',
  shardMap: 'shard_map_name',
  rebuilt: 'rebuilt',
  /** In the place of the card while it is being rebuilt: the name of the rebuild, its settings, those of the card before, and how far it is. */
  rebuilding: 'rebuilding',
  settingsAfter: 'settings_after',
  settingsBefore: 'settings_before',
  checkpoint: 'checkpoint',
} as const

/** The attributes of the first card of a table, without its key. */
export function firstCardItem(
  settings: CardSettings,
  { made, table, shardMap }: ReturnType<typeof newOrigin>,
  isEmpty: boolean,
): Record<string, AttributeValue> {
  return {
    [CARD_ATTRIBUTES.made]: { S: made },
    [CARD_ATTRIBUTES.table]: { S: table },
    [CARD_ATTRIBUTES.shardMap]: { S: shardMap },
    [CARD_ATTRIBUTES.format]: { N: String(FORMAT) },
    [CARD_ATTRIBUTES.version]: { N: '1' },
    [CARD_ATTRIBUTES.settings]: settingsAttribute(settings),
    ...(isEmpty ? {} : { [CARD_ATTRIBUTES.all]: { BOOL: true } }),
  }
}

export function settingsAttribute(settings: CardSettings): AttributeValue.MMember {
  return { M: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, { S: value }])) }
}

export function readSettings(attribute: AttributeValue | undefined): CardSettings | undefined {
  const entries = attribute?.M && Object.entries(attribute.M)
  return entries && Object.fromEntries(entries.map(([name, value]) => [name, value.S ?? '']))
}

/** @throws IsothermError `card.lost` if it is being rebuilt; `card.format`, `shard-map.malformed` */
export function cardOf(
  { name: table, shardMap }: Pick<ShardedTable, 'name' | 'shardMap'>,
  item: Readonly<Record<string, AttributeValue>>,
): TableCard {
  if (item[CARD_ATTRIBUTES.rebuilding] !== undefined) throw lostCard({ name: table, shardMap }, 'rebuilding')
  const format = Number(item[CARD_ATTRIBUTES.format]?.N)
  const settings = item[CARD_ATTRIBUTES.settings]?.M
  if ((format !== FORMAT && format !== FORMAT_WITH_STATE) || settings === undefined) {
    throw new IsothermError(
      'card.format',
      `The card of ${table} in ${shardMap} has format ${item[CARD_ATTRIBUTES.format]?.N ?? 'none'}; this version reads ${FORMAT} and ${FORMAT_WITH_STATE}. Use a version of isotherm that knows it.`,
      { table, format },
    )
  }
  const keys = item[CARD_ATTRIBUTES.keys]
  const texts = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value.S ?? '']))
  return {
    settings: texts,
    // mark: full-card-lists-all-keys
    listed:
      item[CARD_ATTRIBUTES.all]?.BOOL === true
        ? 'all'
        : new Set([
            ...(keys?.SS ?? []),
            ...(keys?.BS ?? []).map((B) => keyText({ B } as SuffixableKey as LogicalKey)),
          ]),
    initial: format === FORMAT ? firstInitial(texts) : fromAttributes(shardMap, item),
    acceptedInitials: new Set(item[CARD_ATTRIBUTES.acceptedInitials]?.SS),
    migration: migrationOf(item),
    made: item[CARD_ATTRIBUTES.made]?.S,
    table: item[CARD_ATTRIBUTES.table]?.S,
    shardMap: item[CARD_ATTRIBUTES.shardMap]?.S,
    isRebuilt: item[CARD_ATTRIBUTES.rebuilt]?.BOOL,
    version: Number(item[CARD_ATTRIBUTES.version]?.N ?? 0),
  }
}

function migrationOf(item: Readonly<Record<string, AttributeValue>>): TableCard['migration'] {
  const to = Number(item[CARD_ATTRIBUTES.migratingTo]?.N)
  return to > 0 ? { to, position: item[CARD_ATTRIBUTES.migratedKey]?.M } : undefined
}

/** The initial state of a table that was never migrated. */
function firstInitial({ initial }: CardSettings): ShardState {
  return firstState(Number(initial), 0)
}
