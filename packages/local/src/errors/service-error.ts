/** How an error is told on the wire. */
interface Spelling {
  /** Where the error's name lives in the service's namespaces; it stands before `#` in `__type`. */
  readonly namespace: string
  /** The body's member for the text: the service spells it in two ways, by the part that refuses. */
  readonly textMember: 'message' | 'Message'
}

const FRAMEWORK = 'com.amazon.coral.service'
const AUTHENTICATION: Spelling = { namespace: FRAMEWORK, textMember: 'message' }
const TRANSPORT: Spelling = { namespace: FRAMEWORK, textMember: 'Message' }
const DYNAMODB: Spelling = { namespace: 'com.amazonaws.dynamodb.v20120810', textMember: 'message' }

/** Of DynamoDB's own errors only those of transactions, whose model spells the text with a capital. */
const TRANSACTIONS: Spelling = { ...DYNAMODB, textMember: 'Message' }

/** The errors that are told in another way than DynamoDB's own: most are of what it is built on. */
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

/** An error that the service itself would answer: a name, a text, and what else its body carries. */
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

  /** Headers besides those that every answer has. */
  get headers(): { readonly [name: string]: string } {
    return NO_HEADERS
  }

  /** The JSON body that the wire carries. */
  get body(): object {
    const { namespace, textMember } = SPELLINGS.get(this.name) ?? DYNAMODB
    const text = this.message === '' ? {} : { [textMember]: this.message }
    return { __type: `${namespace}#${this.name}`, ...text, ...this.members }
  }
}

export function validationException(message: string): ServiceError {
  return new ServiceError('ValidationException', message)
}

export function serializationException(message: string): ServiceError {
  return new ServiceError('SerializationException', message)
}

/** The service failed, not the request; clients try again. */
export function internalServerError(message: string): ServiceError {
  return new ServiceError('InternalServerError', message, {}, 500)
}

/** The refusal of a request that is broken below the API: its framing, its encoding, its headers. */
export function malformedHttpRequest(message: string, httpStatus = 400): ServiceError {
  return new ServiceError('MalformedHttpRequestException', message, {}, httpStatus)
}
