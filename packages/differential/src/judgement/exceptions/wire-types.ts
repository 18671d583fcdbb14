import { type ComparableError, isError } from '../comparable.js'
import type { Exception } from '../exception.js'
import { hasUnreadableNull } from '../unreadable-null.js'

const isSerialization = (answer: unknown): answer is ComparableError =>
  typeof answer === 'object' &&
  answer !== null &&
  'error' in answer &&
  answer.error === 'SerializationException'

/** A text about a null. Another mistake is that the request has no expression, whose text has the word, too. */
const OF_A_NULL = /\bnull\b(?<! when using expressions: \w+ is null)/

/** Differences in how a request's JSON is read. */
export const WIRE_TYPES: readonly Exception[] = [
  {
    name: 'crashes-on-wrong-types',
    reason:
      'DynamoDB Local answers HTTP 500 InternalFailure where a member has a JSON type that it cannot read. The service answers SerializationException.',
    source:
      'Known oddity of DynamoDB Local 3.3.1; the error of the service is that of all AWS JSON protocols.',
    applies: ({ ours, theirs }) => isSerialization(ours) && isError(theirs) && theirs.status === 500,
  },
  {
    name: 'text-of-null-members',
    reason: 'DynamoDB Local counts a null in a list as an empty member. The service cannot read it.',
    source: 'The error of the service is that of all AWS JSON protocols.',
    applies: ({ ours, theirs }) =>
      isSerialization(ours) &&
      isError(theirs) &&
      /null or empty|null AttributeValue|^Value null at|^Key schema element is invalid/.test(theirs.message),
  },
  {
    name: 'null-behind-another-mistake',
    reason:
      'DynamoDB Local reports another mistake before it reads a null in a list or in place of an attribute. The service cannot read the request at all.',
    source: 'The error of the service is that of all AWS JSON protocols.',
    applies: ({ step, ours, theirs }) =>
      isSerialization(ours) &&
      ours.message === 'Unexpected field type' &&
      hasUnreadableNull(step.request) &&
      isError(theirs) &&
      ['ValidationException', 'ResourceNotFoundException'].includes(theirs.error) &&
      !OF_A_NULL.test(theirs.message),
  },
  {
    name: 'converts-scalars',
    reason:
      'DynamoDB Local converts texts, numbers and booleans into one another, and continues. The service answers SerializationException.',
    source: 'Known oddity of DynamoDB Local 3.3.1, whose JSON reader coerces scalars.',
    applies: ({ ours }) =>
      isSerialization(ours) &&
      /^(STRING|NUMBER|DECIMAL|TRUE|FALSE|NULL)_VALUE cannot be converted to (String|Boolean|Integer)$/.test(
        ours.message,
      ),
  },
]
