import { invalidParameters, type ServiceError } from '../errors/service-error.js'
import { firstRepeated } from './first-repeated.js'
import type { Shape } from './shape.js'

/** A tag of a resource. */
export interface TagInput {
  readonly Key: string
  readonly Value: string
}

/** Documented: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Tagging.html */
const MAX_TAGS = 50

/** Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Tagging.html */
const TAG_CHARACTERS = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u

export const TAG_KEY = { type: 'string', length: { min: 1, max: 128 } } as const satisfies Shape

export const TAGS = {
  type: 'list',
  of: {
    type: 'structure',
    members: {
      Key: { ...TAG_KEY, required: true },
      Value: { type: 'string', length: { min: 0, max: 256 }, required: true },
    },
  },
} as const satisfies Shape

export type Tags = { readonly [key: string]: string }

/** Adds tags to the existing ones. An existing key gets the new value. @throws ServiceError */
export function withTags(present: Tags, inputs: readonly TagInput[]): Tags {
  if (inputs.length > MAX_TAGS) throw tooManyTags(inputs.length)
  const keys = inputs.map(({ Key }) => Key)
  const twice = firstRepeated(keys)
  if (twice !== undefined) {
    throw invalidParameters(`Duplicate tag key: ${twice}`)
  }
  const odd = inputs.flatMap(({ Key, Value }) => [Key, Value]).find((text) => !TAG_CHARACTERS.test(text))
  if (odd !== undefined) {
    throw invalidParameters(
      `Tag keys and values can contain only letters, digits, white space and + - = . _ : / @. Found: ${odd}`,
    )
  }
  const reserved = keys.find((key) => key.toLowerCase().startsWith('aws:'))
  if (reserved !== undefined) {
    throw invalidParameters(`Tag keys must not begin with aws:, which is reserved. Key: ${reserved}`)
  }
  const tags = new Map(Object.entries(present))
  for (const { Key, Value } of inputs) tags.set(Key, Value)
  if (tags.size > MAX_TAGS) throw tooManyTags(tags.size)
  return Object.fromEntries(tags)
}

function tooManyTags(count: number): ServiceError {
  return invalidParameters(`Too many tags: a resource can have ${MAX_TAGS}, and would have ${count}`)
}
