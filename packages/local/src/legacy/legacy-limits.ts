import { validationException } from '../errors/service-error.js'
import type { MostMembers } from '../validation/shape.js'

/**
 * The attributes that one legacy parameter may name, and the values of all its conditions together. The service documents no
 * limit. An expression has at most 300 operators, and no application needs a thousand conditions or changes. A request of
 * 16 MB could have 100,000, which take hundreds of milliseconds.
 */
const MAX_LEGACY_MEMBERS = 10_000

/** The limit of a legacy parameter, for the shape of a request. */
export const MOST_LEGACY_MEMBERS: MostMembers = {
  members: MAX_LEGACY_MEMBERS,
  refusal: (member, count) =>
    `${member} names ${count} attributes. This engine accepts at most ${MAX_LEGACY_MEMBERS} in one request; nothing was done. Name fewer attributes.`,
}

/** A condition with a list of values. */
interface WithValues {
  readonly AttributeValueList?: readonly unknown[]
}

/** @throws ServiceError when the conditions of a parameter have too many values. */
export function checkValueCount(conditions: { readonly [attribute: string]: WithValues }): void {
  let values = 0
  for (const name in conditions) values += conditions[name]?.AttributeValueList?.length ?? 0
  if (values <= MAX_LEGACY_MEMBERS) return
  throw validationException(
    `The conditions have ${values} values in their AttributeValueList. This engine accepts at most ${MAX_LEGACY_MEMBERS} in one request; nothing was done. Send fewer values.`,
  )
}
