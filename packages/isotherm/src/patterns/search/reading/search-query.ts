import { invalidOption } from '../../../options/check.js'
import type { BaseItem } from '../model/base-item.js'
import type { DirectoryDefinition, SearchedField } from '../model/define-directory.js'
import { searchedPart, searchTexts, startsOf } from '../model/search-texts.js'
import { type Highlight, highlightsOf } from '../text/highlight.js'

export type MatchKind = 'prefix' | 'substring'

/** A query in the form that its fields compare. */
export interface QueryForm {
  readonly text: string
  readonly fields: ReadonlySet<SearchedField>
}

/** What is searched: one form for all fields that normalize the query in the same way. */
export interface SearchQuery {
  readonly match: MatchKind
  readonly forms: readonly QueryForm[]
}

/**
 * @param only names of the fields and links that are searched; `undefined` for all
 * @throws IsothermError `options.invalid`
 */
export function searchQuery(
  { fields, links }: DirectoryDefinition,
  text: string,
  match: MatchKind,
  only: readonly string[] | undefined,
): SearchQuery {
  const able = [...fields, ...links].filter(
    ({ isText, search }) => isText && (search === 'substring' || search === match),
  )
  const names = able.map(({ name }) => name)
  const unable = only?.find((name) => !names.includes(name))
  if (unable !== undefined || able.length === 0)
    throw invalidOption(
      'search.in',
      unable,
      `fields that the directory searches by ${match}: ${names.join(', ') || 'it has none'}`,
    )
  const forms = new Map<string, Set<SearchedField>>()
  for (const field of able) {
    if (only !== undefined && !only.includes(field.name)) continue
    const form = searchedPart(field, text)
    if (form !== '') forms.set(form, new Set([...(forms.get(form) ?? []), field]))
  }
  return { match, forms: [...forms].map(([form, of]) => ({ text: form, fields: of })) }
}

/** Where an item matches, by field. @returns `undefined` for an item that does not match */
export function matchesOf(
  definition: DirectoryDefinition,
  { match, forms }: SearchQuery,
  item: BaseItem,
): Readonly<Record<string, readonly Highlight[]>> | undefined {
  const found: Record<string, readonly Highlight[]> = {}
  let isMatch = false
  for (const searched of searchTexts(definition, item)) {
    const { field, value, text } = searched
    const form = forms.find(({ fields }) => fields.has(field))
    if (form === undefined) continue
    const fits =
      match === 'substring'
        ? text.includes(form.text)
        : startsOf(searched).some((start) => start.startsWith(form.text))
    if (!fits) continue
    isMatch = true
    const ranges = highlightsOf(value, form.text, field.normalize, match === 'prefix')
    if (definition.fields.includes(field) && ranges.length > 0) found[field.name] = ranges
  }
  return isMatch ? found : undefined
}
