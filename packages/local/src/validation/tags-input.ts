import { type ServiceError, validationException } from '../errors/service-error.js'
import { firstRepeated } from './first-repeated.js'
import type { Shape } from './shape.js'

/** A tag of a resource. */
export interface TagInput {
  readonly Key?: string
  readonly Value?: string
}

/** Documented: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Tagging.html */
const MAX_TAGS = 50

/** Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Tagging.html */
const TAG_CHARACTERS = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u

const MAX_KEY_LENGTH = 128
const MAX_VALUE_LENGTH = 256

/** Lengths are checked below, because the service's texts are not those of other members. */
export const TAGS = {
  type: 'list',
  of: {
    type: 'structure',
    members: { Key: { type: 'string' }, Value: { type: 'string' } },
  },
} as const satisfies Shape

export type Tags = { readonly [key: string]: string }

/** Adds tags to the existing ones. An existing key gets the new value. @throws ServiceError */
export function withTags(present: Tags, inputs: readonly TagInput[]): Tags {
  checkTagKeys(inputs.map(({ Key }) => Key))
  const added = inputs.map(({ Key = '', Value: value }) => {
    if (value === undefined || value.length > MAX_VALUE_LENGTH || !TAG_CHARACTERS.test(value)) {
      throw validationException(`The Tag Value provided is invalid, Value: ${shown(value)}`)
    }
    return [Key, value] as const
  })
  const keys = added.map(([key]) => key)
  const twice = firstRepeated(keys)
  if (twice !== undefined) {
    throw validationException(`Duplicate Tag Keys provided as input: Duplicate Tag Key found ${twice}`)
  }
  const reserved = keys.find((key) => key.toLowerCase().startsWith('aws:'))
  if (reserved !== undefined) {
    throw validationException(`Tag Key cannot be prefixed with aws:, Key: ${reserved}`)
  }
  const tags = new Map([...Object.entries(present), ...added])
  if (tags.size > MAX_TAGS) throw tooManyTags()
  return Object.fromEntries(tags)
}

/** @throws ServiceError */
export function checkTagKeys(keys: readonly (string | undefined)[]): void {
  if (keys.length > MAX_TAGS) throw tooManyTags()
  for (const key of keys) {
    const isKey = key !== undefined && key !== '' && key.length <= MAX_KEY_LENGTH && TAG_CHARACTERS.test(key)
    if (!isKey) throw validationException(`The Tag Key provided is invalid, Key: ${shown(key)}`)
  }
}

/** A request may have texts of megabytes. */
function shown(text: string | undefined): string {
  return text === undefined ? 'null' : text.slice(0, 2 * MAX_VALUE_LENGTH)
}

function tooManyTags(): ServiceError {
  return validationException('Number of Tags exceed the current limit for the provided ResourceArn')
}
