import { compareBytes, compareStrings } from '@isotherm/semantics'
import { type ServiceError, validationException } from '../wire/service-error.js'
import type { WireBytes } from '../wire/wire-bytes.js'

const INVALID = 'One or more parameter values were invalid: '

/** A set of texts with a member that is there twice. */
export function duplicateTexts(members: readonly string[]): ServiceError {
  const listed = asListed(members, (member) => member, compareStrings)
  return validationException(
    `${INVALID}Input collection [${listed.map((member) => `"${member}"`).join(', ')}] contains duplicates.`,
  )
}

/** A set of binary values with a member that is there twice. The missing spaces are the service's. */
export function duplicateBytes(members: readonly WireBytes[]): ServiceError {
  const listed = asListed(members, (member) => member.toJSON(), compareBytes)
  return validationException(
    `${INVALID}Input collection [${listed.map((member) => `"${member.toJSON()}"`).join(',')}]of type BS contains duplicates.`,
  )
}

/** A set of numbers with a member that is there twice, if only in value: the service names none. */
export function duplicateNumbers(): ServiceError {
  return validationException(`${INVALID}Input collection contains duplicates.`)
}

/** In the order in which the service lists them: sorted up to the first that repeats, the rest as they were sent. */
function asListed<Member>(
  members: readonly Member[],
  textOf: (member: Member) => string,
  compare: (a: Member, b: Member) => number,
): readonly Member[] {
  const seen = new Set<string>()
  const repeat = members.findIndex((member) => seen.size === seen.add(textOf(member)).size)
  return [...members.slice(0, repeat).sort(compare), ...members.slice(repeat)]
}
