import type { KeyValue } from '@isotherm/semantics'

/** Texts of canonical numbers that are this short are exact as doubles, so doubles have their order. */
const EXACT_LENGTH = 15

/** A surrogate, or a character above them. Only these have another order in UTF-8 than in the language. */
const OTHER_ORDER = /[\ud800-\uffff]/

/**
 * A value that the language compares in the order of the sort key, and in a quarter of the time that a comparison of the key takes.
 * @returns `undefined` for bytes, for a number that a double cannot hold, and for a text with another order than its UTF-8 bytes
 */
export function sortRank(sort: KeyValue | undefined): number | string | undefined {
  if (sort === undefined) return undefined
  if ('S' in sort) return OTHER_ORDER.test(sort.S) ? undefined : sort.S
  return 'N' in sort && sort.N.length <= EXACT_LENGTH ? Number(sort.N) : undefined
}
