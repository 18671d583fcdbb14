import { firstCharacters } from '../text/first-characters.js'
import { gramWindows, headsOf } from '../text/grams.js'
import type { BaseItem } from './base-item.js'
import type { DirectoryDefinition } from './define-directory.js'
import { searchType } from './keys.js'
import { cutTexts } from './listing-text.js'
import { positionOf } from './position.js'
import { searchTexts, startsOf } from './search-texts.js'

/** The keys of a search item in the index. It has no other attributes. */
export interface IndexKey {
  readonly type: string
  readonly value: string
}

/** Search items of one item, by their sort key in the table. */
export type DerivedItems = ReadonlyMap<string, IndexKey>

/** So many characters of a text are in the index: the rest of a longer query is compared with the item. */
export const MAX_TEXT_CHARACTERS = 100

/**
 * The search items that belong to an item: a function of the item alone, so that a change knows what differs without reading them.
 *
 * | sort key | finds | order in the index |
 * |---|---|---|
 * | `=name` | texts by their beginning | by text |
 * | `^al` | texts that begin with `al` | by time |
 * | `~lic` | texts that contain `lic` | by time |
 * | `+category#7` | what is linked to a target | by time |
 */
export function derivedItems(definition: DirectoryDefinition, item: BaseItem): DerivedItems {
  const { tenant } = item
  const position = positionOf(item.createdAt, item.id)
  const derived = new Map<string, IndexKey>()
  const texts = searchTexts(definition, item)
  const heads = new Map<string, string[]>()
  const grams = new Map<string, string[]>()
  for (const searched of texts) {
    for (const [at, start] of startsOf(searched).entries()) {
      const value = `${firstCharacters(start, MAX_TEXT_CHARACTERS)}\t${position}`
      const name = at === 0 ? `=${searched.source}` : `=${searched.source}#${at}`
      derived.set(name, { type: searchType.texts(tenant, start), value })
      for (const head of headsOf(start)) heads.set(head, [...(heads.get(head) ?? []), start])
    }
    if (searched.field.search !== 'substring') continue
    for (const [gram, windows] of gramWindows(searched.text))
      grams.set(gram, [...(grams.get(gram) ?? []), ...windows])
  }
  for (const [gram, windows] of grams) {
    const value = `${position}\t${cutTexts(windows)}`
    derived.set(`~${gram}`, { type: searchType.gram(tenant, gram), value })
  }
  for (const [head, starts] of heads) {
    const value = `${position}\t${cutTexts(starts)}`
    derived.set(`^${head}`, { type: searchType.head(tenant, head), value })
  }
  for (const [kind, targets] of Object.entries(item.links)) {
    for (const [target, { version }] of Object.entries(targets)) {
      const type = searchType.links(tenant, kind, target)
      derived.set(`+${kind}#${target}`, { type, value: `${position}\t${version}` })
    }
  }
  return derived
}

/** What a change does to search items. */
export interface Difference {
  readonly put: DerivedItems
  /** Sort keys. */
  readonly remove: readonly string[]
}

export function differenceOf(before: DerivedItems, after: DerivedItems): Difference {
  const put = new Map(
    [...after].filter(([name, { type, value }]) => {
      const old = before.get(name)
      return old?.type !== type || old.value !== value
    }),
  )
  return { put, remove: [...before.keys()].filter((name) => !after.has(name)) }
}
