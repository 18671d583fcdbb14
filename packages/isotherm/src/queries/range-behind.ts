import { type KeyValue, neighbourKeyValue } from '@isotherm/semantics'
import { after, from, type SortRange } from './sort-range.js'

/**
 * The part of the range behind a sort key of it, as a request can say it.
 *
 * A condition with two bounds is an inclusive BETWEEN: from the sort key on, a request would read again whatever has that one,
 * for every page. From its neighbour on it does not.
 */
export function rangeBehind(range: SortRange, value: KeyValue, direction: 1 | -1): SortRange {
  const end = direction === 1 ? range.upper : range.lower
  const neighbour = end === undefined ? undefined : neighbourKeyValue(value, direction)
  return neighbour === undefined ? after(range, value, direction) : from(range, neighbour, direction)
}
