interface Framework {
  /** Where the error's name lives in the service's namespaces; it stands before `#` in `__type`. */
  readonly namespace: string
  /** The body's member for the text: the service's framework spells it in two ways, by the part that refuses. */
  readonly textMember: 'message' | 'Message'
}

const FRAMEWORK = 'com.amazon.coral.service'
const AUTHENTICATION: Framework = { namespace: FRAMEWORK, textMember: 'message' }
const TRANSPORT: Framework = { namespace: FRAMEWORK, textMember: 'Message' }
const DYNAMODB: Framework = { namespace: 'com.amazonaws.dynamodb.v20120810', textMember: 'message' }

/** The errors that are not DynamoDB's own but of what it is built on. */
const FRAMEWORK_ERRORS: ReadonlyMap<string, Framework> = new Map([
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

  /** The JSON body that the wire carries. */
  get body(): object {
    const { namespace, textMember } = FRAMEWORK_ERRORS.get(this.name) ?? DYNAMODB
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

/** The refusal of a request that is broken below the API: its framing, its encoding, its headers. */
export function malformedHttpRequest(message: string, httpStatus = 400): ServiceError {
  return new ServiceError('MalformedHttpRequestException', message, {}, httpStatus)
}
