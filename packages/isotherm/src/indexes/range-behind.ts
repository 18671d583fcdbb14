import { type KeyValue, neighbourKeyValue } from '@isotherm/semantics'
import { after, from, type SortRange } from '../queries/sort-range.js'

/**
 * The part of the range behind a sort key of it, as a request can say it: a condition with two bounds is an inclusive BETWEEN. One
 * from the sort key on would read again whatever has that one, for every page, and end a page of a filter before the page
 * before; from its neighbour on it does not.
 *
 * @returns `undefined` where nothing is left
 */
export function rangeBehind(range: SortRange, value: KeyValue, direction: 1 | -1): SortRange | undefined {
  const end = direction === 1 ? range.upper : range.lower
  if (end === undefined) return after(range, value, direction)
  const neighbour = neighbourKeyValue(value, direction)
  return neighbour && from(range, neighbour, direction)
}
