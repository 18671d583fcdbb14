import { compareBytes } from './compare-values.js'
import { compareNumbers } from './number/compare-numbers.js'
import { compareStrings } from './utf8.js'

/**
 * The service returns the members of a set in order: strings and binary values by bytes, numbers by value. These
 * functions sort a set in place and return it. A sorted set, which is the usual one, is only compared once.
 */
export function orderedStrings(members: string[]): string[] {
  return ordered(members, compareStrings)
}

/** @param members numbers in canonical text. */
export function orderedNumbers(members: string[]): string[] {
  return ordered(members, compareNumbers)
}

export function orderedBinaries<Bytes extends Uint8Array>(members: Bytes[]): Bytes[] {
  return ordered(members, compareBytes)
}

function ordered<Member>(members: Member[], compare: (a: Member, b: Member) => number): Member[] {
  return isOrdered(members, compare) ? members : members.sort(compare)
}

function isOrdered<Member>(members: readonly Member[], compare: (a: Member, b: Member) => number): boolean {
  let last: Member | undefined
  for (const member of members) {
    if (last !== undefined && compare(last, member) > 0) return false
    last = member
  }
  return true
}
