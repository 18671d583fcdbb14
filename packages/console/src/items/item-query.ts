/** How a value of a sort key is compared. */
export const SORT_OPERATORS = ['=', '<', '<=', '>', '>=', 'between', 'begins_with'] as const
type SortOperator = (typeof SORT_OPERATORS)[number]

/** A condition on an attribute of a sort key. Without a value it holds for all. */
export interface SortCondition {
  readonly operator: SortOperator
  readonly value: string
  /** The end of the range, with `between`. Of a range with one end, the other is open. */
  readonly upper: string
}

/** How a filter compares an attribute. */
export const FILTER_OPERATORS = [
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  'begins_with',
  'contains',
  'attribute_exists',
  'attribute_not_exists',
] as const
export type FilterOperator = (typeof FILTER_OPERATORS)[number]

export const FILTER_TYPES = ['S', 'N', 'BOOL', 'NULL', 'B'] as const
export type FilterType = (typeof FILTER_TYPES)[number]

/** A condition on any attribute, tested after the items are read. One like `NO_FILTER` holds for all. */
export interface ItemFilter {
  readonly attribute: string
  readonly operator: FilterOperator
  readonly type: FilterType
  readonly value: string
}

/** Which items are wanted: all, or those of one partition key. */
export interface ItemQuery {
  /** A value for each attribute of the partition key. Empty: all items are scanned. */
  readonly partition: readonly string[]
  /** Whether the partition key is a logical key, so that the items of all of its shards are wanted. */
  readonly isLogical: boolean
  readonly sort: readonly SortCondition[]
  readonly filters: readonly ItemFilter[]
  readonly isDescending: boolean
  /** Items on a page. */
  readonly pageItems: number
}

export const PAGE_SIZES = [25, 50, 100, 250, 1_000] as const

export const ANY_SORT_KEY: SortCondition = { operator: '=', value: '', upper: '' }
export const NO_FILTER: ItemFilter = { attribute: '', operator: '=', type: 'S', value: '' }

/** Whether a filter has a condition, and nothing that the condition is about. */
export function lacksAttribute(filter: ItemFilter): boolean {
  const { attribute, operator, type, value } = filter
  if (attribute !== '') return false
  return operator !== NO_FILTER.operator || type !== NO_FILTER.type || value !== NO_FILTER.value
}

/** The cure of a filter that lacks its attribute. */
export const NAME_THE_ATTRIBUTE = 'Write the name of the attribute to compare, or remove the filter.'

export const EVERYTHING: ItemQuery = {
  partition: [],
  isLogical: true,
  sort: [],
  filters: [],
  isDescending: false,
  pageItems: 50,
}

/** A query as text for an address, with the members that differ from `EVERYTHING`; empty for `EVERYTHING`. */
export function printItemQuery(query: ItemQuery): string {
  const members = Object.entries(query).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(EVERYTHING[name as keyof ItemQuery]),
  )
  return members.length === 0 ? '' : JSON.stringify(Object.fromEntries(members))
}

/** The query of an address. An address may be cut or edited, so anything unknown in it is left out. */
export function parseItemQuery(text: string): ItemQuery {
  const given = objectOf(text)
  const list = (name: string) => (Array.isArray(given[name]) ? (given[name] as readonly unknown[]) : [])
  return {
    partition: list('partition').filter((value) => typeof value === 'string'),
    isLogical: given.isLogical !== false,
    sort: list('sort').map((each) => {
      const { operator, value, upper } = memberTexts(each)
      return { operator: oneOf(SORT_OPERATORS, operator), value: value ?? '', upper: upper ?? '' }
    }),
    filters: list('filters').map((each) => {
      const { attribute, operator, type, value } = memberTexts(each)
      return {
        attribute: attribute ?? '',
        operator: oneOf(FILTER_OPERATORS, operator),
        type: oneOf(FILTER_TYPES, type),
        value: value ?? '',
      }
    }),
    isDescending: given.isDescending === true,
    pageItems: PAGE_SIZES.find((size) => size === given.pageItems) ?? EVERYTHING.pageItems,
  }
}

function oneOf<Of extends string>(known: readonly [Of, ...Of[]], given: string | undefined): Of {
  return known.find((each) => each === given) ?? known[0]
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

function memberTexts(given: unknown): Readonly<Record<string, string | undefined>> {
  const members: readonly (readonly [string, unknown])[] = Object.entries(Object(given))
  return Object.fromEntries(
    members.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}
