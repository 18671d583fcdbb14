import {
  CONDITION_FAILED_TEXT,
  type Item,
  inUseText,
  invalidParametersText,
  NOT_FOUND_TEXT,
  notFoundText,
} from '@isotherm/semantics'

/** The form of an error in a response. */
interface Spelling {
  /** The namespace of the error's name, which precedes `#` in `__type`. */
  readonly namespace: string
  /** The member with the text. The service has two spellings, depending on the component that rejects the request. */
  readonly textMember: 'message' | 'Message'
}

const FRAMEWORK = 'com.amazon.coral.service'
const AUTHENTICATION: Spelling = { namespace: FRAMEWORK, textMember: 'message' }
const TRANSPORT: Spelling = { namespace: FRAMEWORK, textMember: 'Message' }
const DYNAMODB: Spelling = { namespace: 'com.amazonaws.dynamodb.v20120810', textMember: 'message' }

/** Among DynamoDB's own errors, only those of transactions spell the text with a capital. */
const TRANSACTIONS: Spelling = { ...DYNAMODB, textMember: 'Message' }

/** The errors whose form differs from DynamoDB's own. Most belong to components below DynamoDB. */
const SPELLINGS: ReadonlyMap<string, Spelling> = new Map([
  ['IdempotentParameterMismatchException', TRANSACTIONS],
  ['TransactionCanceledException', TRANSACTIONS],
  ['TransactionInProgressException', TRANSACTIONS],
  ['ValidationException', { namespace: 'com.amazon.coral.validate', textMember: 'message' }],
  ['IncompleteSignatureException', AUTHENTICATION],
  ['InvalidSignatureException', AUTHENTICATION],
  ['MissingAuthenticationTokenException', AUTHENTICATION],
  ['UnrecognizedClientException', AUTHENTICATION],
  ['AccessDeniedException', TRANSPORT],
  ['MalformedHttpRequestException', TRANSPORT],
  ['RequestEntityTooLargeException', TRANSPORT],
  ['RequestTimeoutException', TRANSPORT],
  ['SerializationException', TRANSPORT],
  ['UnknownOperationException', TRANSPORT],
])

const NO_HEADERS = {}

/** An error that the service itself would return: a name, a text, and further members of the body. */
export class ServiceError extends Error {
  override readonly name: string
  readonly httpStatus: number
  /** Members of the body besides the text, such as `Item` or `ThrottlingReasons`. */
  readonly members: { readonly [member: string]: unknown }

  constructor(
    name: string,
    message: string,
    members: { readonly [member: string]: unknown } = {},
    httpStatus = 400,
  ) {
    super(message)
    this.name = name
    this.members = members
    this.httpStatus = httpStatus
  }

  /** Headers in addition to those of every response. */
  get headers(): { readonly [name: string]: string } {
    return NO_HEADERS
  }

  /** The JSON body of the response. */
  get body(): object {
    const { namespace, textMember } = SPELLINGS.get(this.name) ?? DYNAMODB
    const text = this.message === '' ? {} : { [textMember]: this.message }
    return { __type: `${namespace}#${this.name}`, ...text, ...this.members }
  }
}

export function validationException(message: string): ServiceError {
  return new ServiceError('ValidationException', message)
}

/** @param rule the broken rule, as a sentence without a full stop. */
export function invalidParameters(rule: string): ServiceError {
  return validationException(invalidParametersText(rule))
}

/** @param item the existing item, if the request returns it when its condition fails. */
export function conditionalCheckFailed(item: Item | undefined): ServiceError {
  const members = item === undefined ? {} : { Item: item }
  return new ServiceError('ConditionalCheckFailedException', CONDITION_FAILED_TEXT, members)
}

/** @param what the resource, such as `Table: audit_log not found`; requests for items do not name it. */
export function resourceNotFound(what?: string): ServiceError {
  return new ServiceError(
    'ResourceNotFoundException',
    what === undefined ? NOT_FOUND_TEXT : notFoundText(what),
  )
}

/** @param why the change in progress. */
export function resourceInUse(why: string): ServiceError {
  return new ServiceError('ResourceInUseException', inUseText(why))
}

export function serializationException(message: string): ServiceError {
  return new ServiceError('SerializationException', message)
}

/** An error of the service, not of the request. Clients retry it. */
export function internalServerError(message: string): ServiceError {
  return new ServiceError('InternalServerError', message, {}, 500)
}

/** Rejects a request that is malformed below the API: its framing, its encoding or its headers. */
export function malformedHttpRequest(message: string, httpStatus = 400): ServiceError {
  return new ServiceError('MalformedHttpRequestException', message, {}, httpStatus)
}
