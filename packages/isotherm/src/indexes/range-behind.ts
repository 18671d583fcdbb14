import { type KeyValue, neighbourKeyValue } from '@isotherm/semantics'
import { after, from, type SortRange } from '../queries/sort-range.js'

/**
 * The part of the range after one of its sort keys, in a form that a request can express: the only condition with two
 * bounds is BETWEEN, which is inclusive. A range from the sort key itself would read all items with that sort key again
 * for every page, and with a filter could end before the previous page. So the range begins at the next possible key.
 *
 * @returns `undefined` when nothing is left
 */
export function rangeBehind(range: SortRange, value: KeyValue, direction: 1 | -1): SortRange | undefined {
  const end = direction === 1 ? range.upper : range.lower
  if (end === undefined) return after(range, value, direction)
  const neighbour = neighbourKeyValue(value, direction)
  return neighbour && from(range, neighbour, direction)
}
