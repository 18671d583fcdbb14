import { firstCharacters } from '../text/first-characters.js'
import type { BaseItem } from './base-item.js'
import type { DirectoryDefinition, SearchedField } from './define-directory.js'

/** Only so many characters of a value are searched. */
const MAX_SEARCHED = 256
/** So many words of a text have a prefix of their own. */
const MAX_WORDS = 8

/** A normalized text by which an item is found. */
export interface SearchText {
  readonly field: SearchedField
  /** Different for each text of the item: the field, and the target of a link. */
  readonly source: string
  /** As it is stored. */
  readonly value: string
  readonly text: string
}

/** The texts by which an item is found. Empty ones are left out. */
export function searchTexts(
  { fields, links }: DirectoryDefinition,
  item: Pick<BaseItem, 'fields' | 'links'>,
): readonly SearchText[] {
  const found: SearchText[] = []
  const add = (field: SearchedField, source: string, value: string | undefined) => {
    if (value === undefined || field.search === 'none') return
    const text = searchedPart(field, value)
    if (text !== '') found.push({ field, source, value, text })
  }
  for (const field of fields) if (field.isText) add(field, field.name, item.fields[field.name]?.S)
  for (const kind of links) {
    const targets = Object.entries(item.links[kind.name] ?? {})
    for (const [target, { name }] of targets) add(kind, `${kind.name}#${target}`, name)
  }
  return found
}

/** A value or a query, in the form in which it is compared. */
export function searchedPart({ normalize }: SearchedField, value: string): string {
  // Tabs divide texts in sort keys.
  return firstCharacters(normalize(value).replaceAll('\t', ' '), MAX_SEARCHED)
}

/** The texts at which a prefix may begin. */
export function startsOf({ field, text }: SearchText): readonly string[] {
  if (!field.words) return [text]
  const starts = [...text.matchAll(/(?<=^|\s)\S/gu)].map(({ index }) => text.slice(index))
  return starts.slice(0, MAX_WORDS)
}
