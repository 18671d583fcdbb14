import { compareBytes, compareStrings } from '@isotherm/semantics'
import { invalidParameters, type ServiceError } from '../errors/service-error.js'
import type { WireBytes } from '../json/wire-bytes.js'

/** The error for a string set with a duplicate member. */
export function duplicateTexts(members: readonly string[]): ServiceError {
  const listed = asListed(members, (member) => member, compareStrings)
  return invalidParameters(
    `Input collection [${listed.map((member) => `"${member}"`).join(', ')}] contains duplicates.`,
  )
}

/** The error for a binary set with a duplicate member. The missing spaces are the service's. */
export function duplicateBytes(members: readonly WireBytes[]): ServiceError {
  const listed = asListed(members, (member) => member.toJSON(), compareBytes)
  return invalidParameters(
    `Input collection [${listed.map((member) => `"${member.toJSON()}"`).join(',')}]of type BS contains duplicates.`,
  )
}

/** The error for a number set with two equal numbers, however they are written. The service does not name them. */
export function duplicateNumbers(): ServiceError {
  return invalidParameters('Input collection contains duplicates.')
}

/** The order in which the service lists members: sorted up to the first duplicate, and the rest as sent. */
function asListed<Member>(
  members: readonly Member[],
  textOf: (member: Member) => string,
  compare: (a: Member, b: Member) => number,
): readonly Member[] {
  const seen = new Set<string>()
  const repeat = members.findIndex((member) => seen.size === seen.add(textOf(member)).size)
  return [...members.slice(0, repeat).sort(compare), ...members.slice(repeat)]
}
