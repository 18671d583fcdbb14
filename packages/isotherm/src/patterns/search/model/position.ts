import { compareStrings } from '@isotherm/semantics'

/**
 * Where an item is in the order of its tenant: when it was created, then its id. It is the beginning of the sort key of every posting, so
 * postings of different grams are compared by it, and a page can begin at it in any of them.
 */
export type Position = string

const STAMP_DIGITS = 9
/** Nine digits in base 36: up to the year 5188. */
export const MAX_CREATED_AT = 36 ** STAMP_DIGITS - 1

/** Before all positions, in newest-first order: no text of a sort key is above it. */
export const NEWEST: Position = '~'
/** After all positions. */
export const OLDEST: Position = ''

export function positionOf(createdAt: number, id: string): Position {
  return `${createdAt.toString(36).padStart(STAMP_DIGITS, '0')}#${id}`
}

/** The id of an item, from its position. */
export function idAt(position: Position): string {
  return position.slice(STAMP_DIGITS + 1)
}

/** Whether a text may be a position: nobody else's key can be built from it, whatever it is. */
export function isPosition(text: unknown): text is Position {
  return typeof text === 'string' && /^[0-9a-z]{9}#\P{Cc}{1,128}$/u.test(text)
}

/** Newest first, in the order of the index. */
export function newestFirst(one: Position, other: Position): number {
  return compareStrings(other, one)
}

/** Whether a position is in the part that was read: at the end of it, or newer. */
export function isCovered(position: Position, coveredTo: Position): boolean {
  return compareStrings(position, coveredTo) >= 0
}
