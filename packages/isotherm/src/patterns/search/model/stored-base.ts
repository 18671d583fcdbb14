import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { Item } from '@isotherm/semantics'
import type { StoredItem } from '../../read-items.js'
import { toPlainItem } from '../../values/to-plain-value.js'
import { IMPORTING } from './attribute-names.js'
import type { BaseItem, StoredLink, StoredLinks } from './base-item.js'
import type { DirectoryDefinition } from './define-directory.js'
import { ITEM, itemId, keyOf, searchType } from './keys.js'
import { listingText } from './listing-text.js'
import { positionOf } from './position.js'
import { searchTexts } from './search-texts.js'

/** The item as it is stored. It is in the index as well, where it lists the tenant's items. */
export function storedBase(definition: DirectoryDefinition, item: BaseItem): StoredItem {
  const { names } = definition
  const { tenant, id, createdAt, version, fields, links, others, importing } = item
  const listed = `${positionOf(createdAt, id)}\t${listingText(searchTexts(definition, item))}`
  return {
    ...others,
    ...fields,
    ...keyOf(names, itemId(tenant, id), ITEM),
    ...(importing === undefined
      ? {
          [names.searchType]: { S: searchType.listing(tenant) },
          [names.searchValue]: { S: listed },
        }
      : { [IMPORTING]: { S: importing } }),
    [names.createdAt]: { N: String(createdAt) },
    [names.version]: { S: version },
    ...(Object.keys(links).length === 0 ? {} : { [names.links]: { M: storedLinks(links) } }),
  }
}

/** @returns `undefined` for something else than an item of a directory */
export function baseOf(definition: DirectoryDefinition, item: StoredItem | undefined): BaseItem | undefined {
  const { names } = definition
  const ID = item?.[names.id]?.S
  const version = item?.[names.version]?.S
  if (item === undefined || ID === undefined || version === undefined || item[names.dataType]?.S !== ITEM)
    return undefined
  const hash = ID.indexOf('#')
  const fields = Object.fromEntries(
    definition.fields.flatMap(({ name }) => {
      const value = Object.hasOwn(item, name) ? item[name] : undefined
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const known: ReadonlySet<string> = new Set([
    ...Object.values(names),
    IMPORTING,
    ...definition.fields.map(({ name }) => name),
  ])
  const others = Object.fromEntries(Object.entries(item).filter(([name]) => !known.has(name)))
  const importing = item[IMPORTING]?.S
  return {
    tenant: ID.slice(0, hash),
    id: ID.slice(hash + 1),
    createdAt: Number(item[names.createdAt]?.N),
    version,
    fields,
    links: linksOf(item[names.links]),
    others,
    ...(importing === undefined ? {} : { importing }),
  }
}

/** The item as the application gets it. */
export function plainItem({ links: kinds }: DirectoryDefinition, item: BaseItem): object {
  const { id, createdAt, version, fields, links } = item
  return {
    ...toPlainItem(fields as Item),
    id,
    createdAt,
    version,
    links: Object.fromEntries(
      kinds.map(({ name: kind }) => [
        kind,
        Object.entries(links[kind] ?? {})
          .map(([target, { name }]) => ({ id: target, name }))
          .sort((one, other) => (one.id < other.id ? -1 : 1)),
      ]),
    ),
  }
}

function storedLinks(links: StoredLinks): Record<string, AttributeValue> {
  const inner = (targets: StoredLinks[string]): AttributeValue => ({
    M: Object.fromEntries(
      Object.entries(targets).map(([target, { name, version }]) => [
        target,
        { M: { name: { S: name }, version: { N: String(version) } } },
      ]),
    ),
  })
  return Object.fromEntries(Object.entries(links).map(([kind, targets]) => [kind, inner(targets)]))
}

function linksOf(value: AttributeValue | undefined): StoredLinks {
  const link = ({ M = {} }: AttributeValue): StoredLink => ({
    name: M.name?.S ?? '',
    version: Number(M.version?.N ?? 0),
  })
  return Object.fromEntries(
    Object.entries(value?.M ?? {}).map(([kind, targets]) => [
      kind,
      Object.fromEntries(Object.entries(targets.M ?? {}).map(([target, stored]) => [target, link(stored)])),
    ]),
  )
}
