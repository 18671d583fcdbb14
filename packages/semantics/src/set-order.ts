import { compareBytes } from './compare-values.js'
import { compareDecimals, compareNumbers } from './number/compare-numbers.js'
import { parseDecimal } from './number/decimal.js'
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
  if (isOrdered(members, compareNumbers)) return members
  // Each number is parsed once, which costs more than all comparisons of a sort.
  const parsed = members.map((text) => ({ text, decimal: parseDecimal(text) }))
  parsed.sort((a, b) => compareDecimals(a.decimal, b.decimal))
  for (const [index, { text }] of parsed.entries()) members[index] = text
  return members
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
