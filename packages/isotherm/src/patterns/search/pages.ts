import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { invalidOption, refuseUnknown, requireInteger, requireObject } from '../../options/check.js'
import { readItems } from '../read-items.js'
import { send } from '../send.js'
import { untilTaken } from '../until-taken.js'
import { fromCursor, toCursor } from './cursor.js'
import type { BaseItem } from './model/base-item.js'
import type { DirectoryTarget } from './model/directory-target.js'
import { ITEM, itemId, keyOf, requireName, searchType, targetId } from './model/keys.js'
import { idAt, OLDEST, positionOf } from './model/position.js'
import { baseOf } from './model/stored-base.js'
import { TARGET } from './model/target-item.js'
import { findPage } from './reading/find-page.js'
import { indexPage } from './reading/index-page.js'
import { searchQuery } from './reading/search-query.js'
import type { ListOptions, ListPage, SearchPage, SearchPageOptions } from './tenant-directory.js'
import { plainText } from './text/plain-text.js'

type Typed<Item> = (item: BaseItem) => Item

const MAX_LIMIT = 100
const MAX_QUERY = 1_000

/** A page of a tenant's items, newest first. */
export async function listPage<Item>(
  target: DirectoryTarget,
  tenant: string,
  options: ListOptions<Readonly<Record<string, unknown>>>,
  typed: Typed<Item>,
): Promise<ListPage<Item>> {
  requireObject('directory.list', options, 'an object of options, such as { limit }')
  refuseUnknown('directory.list', options, ['limit', 'cursor', 'linkedTo'])
  const limit = requireInteger('directory.list.limit', options.limit ?? MAX_LIMIT, 1, MAX_LIMIT)
  const type = listed(target, tenant, options.linkedTo)
  const owner = { table: target.definition.table, tenant, reading: ['list', type] }
  const before = fromCursor(owner, options.cursor)
  const { values, isLast } = await indexPage(target, type, { before }, limit)
  // The index may have the earlier entry of an item beside its new one.
  const positions = [...new Set(values.map((value) => value.split('\t')[0] ?? ''))]
  const items = await itemsAt(target, tenant, positions)
  const last = positions.at(-1)
  const cursor = isLast || last === undefined ? undefined : toCursor(owner, last)
  return { items: items.map(typed), more: cursor !== undefined, cursor }
}

/** A page of matches, newest first. */
export async function searchForPage<Item, Fields>(
  target: DirectoryTarget,
  tenant: string,
  text: string,
  options: Omit<SearchPageOptions<never, never>, 'in'> & { readonly in?: readonly string[] | undefined },
  typed: Typed<Item>,
): Promise<SearchPage<Item, Fields>> {
  requireQuery('directory.search', text)
  requireObject('directory.search', options, "an object of options, such as { match: 'substring' }")
  refuseUnknown('directory.search', options, ['match', 'in', 'limit', 'cursor'])
  const { match = 'prefix', in: only } = options
  if (match !== 'prefix' && match !== 'substring')
    throw invalidOption('directory.search.match', match, "'prefix' or 'substring'")
  if (only !== undefined && (!Array.isArray(only) || only.length === 0))
    throw invalidOption('directory.search.in', only, 'a list of names of fields')
  const limit = requireInteger('directory.search.limit', options.limit ?? MAX_LIMIT, 1, MAX_LIMIT)
  const query = searchQuery(target.definition, text, match, only)
  const reading = [match, only === undefined ? null : [...only].sort(), query.forms.map((form) => form.text)]
  const owner = { table: target.definition.table, tenant, reading }
  const before = fromCursor(owner, options.cursor)
  if (query.forms.length === 0) return { hits: [], more: false, cursor: undefined }
  const { found, next } = await findPage(target, tenant, query, before, limit)
  // The definition names the fields that were searched.
  const hits = found.map(({ item, highlights }) => ({ item: typed(item), highlights: highlights as never }))
  const cursor = next === OLDEST ? undefined : toCursor(owner, next)
  return { hits, more: cursor !== undefined, cursor }
}

/** Names of targets in their order. */
export async function targetNames(
  { db, definition, patience }: DirectoryTarget,
  tenant: string,
  kind: string,
  prefix: string,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  requireQuery('directory.targets', prefix)
  const { table, index, names } = definition
  const begins = plainText(prefix)
  const input = {
    TableName: table,
    IndexName: index,
    KeyConditionExpression: begins === '' ? '#type = :type' : '#type = :type AND begins_with(#value, :text)',
    ExpressionAttributeNames: {
      '#type': names.searchType,
      ...(begins === '' ? {} : { '#value': names.searchValue }),
    },
    ExpressionAttributeValues: {
      ':type': { S: searchType.targets(tenant, kind) },
      ...(begins === '' ? {} : { ':text': { S: begins } }),
    },
    Limit: MAX_LIMIT,
  }
  const { Items = [] } = await untilTaken(patience, () =>
    send<QueryCommandOutput>(db, new QueryCommand(input)),
  )
  // The index may have the earlier name of a target beside its new one.
  const ids = [...new Set(Items.map((item) => item[names.searchValue]?.S?.split('\t')[1] ?? ''))]
  const keys = ids.map((id) => keyOf(names, targetId(tenant, kind, id), TARGET))
  const stored = await readItems(db, patience, table, keys, false)
  const found = new Map(stored.map((item) => [item[names.id]?.S, item.name?.S]))
  return ids.flatMap((id) => {
    const name = found.get(targetId(tenant, kind, id))
    return name === undefined ? [] : [{ id, name }]
  })
}

function requireQuery(place: string, text: unknown): void {
  if (typeof text !== 'string' || text.length > MAX_QUERY)
    throw invalidOption(place, text, `text of up to ${MAX_QUERY} characters`)
}

function listed({ definition }: DirectoryTarget, tenant: string, linkedTo: unknown): string {
  if (linkedTo === undefined) return searchType.listing(tenant)
  const links = Object.entries(
    requireObject('directory.list.linkedTo', linkedTo, 'an object, such as { category: id }'),
  )
  const [kind, id] = links[0] ?? []
  if (links.length !== 1 || !definition.links.some(({ name }) => name === kind))
    throw invalidOption('directory.list.linkedTo', linkedTo, 'an object with one kind of links')
  return searchType.links(tenant, kind ?? '', requireName('directory.list.linkedTo', id))
}

/** The items at these places, in their order. One that was deleted meanwhile is left out. */
async function itemsAt(
  { db, definition, patience }: DirectoryTarget,
  tenant: string,
  positions: readonly string[],
): Promise<readonly BaseItem[]> {
  const { table, names } = definition
  const keys = positions.map((position) => keyOf(names, itemId(tenant, idAt(position)), ITEM))
  const stored = await readItems(db, patience, table, keys, false)
  const items = new Map(stored.map((item) => [item[names.id]?.S, baseOf(definition, item)]))
  return positions.flatMap((position) => {
    const item = items.get(itemId(tenant, idAt(position)))
    const isThere = item !== undefined && item.importing === undefined
    return isThere && positionOf(item.createdAt, item.id) === position ? [item] : []
  })
}
