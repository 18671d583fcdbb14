/** Where an error's name lives in the service's namespaces; it stands before `#` in `__type`. */
const NAMESPACES: Record<string, string> = {
  ValidationException: 'com.amazon.coral.validate',
  SerializationException: 'com.amazon.coral.service',
  UnknownOperationException: 'com.amazon.coral.service',
}
/** Errors whose text is a member with a capital: the service's model spells it so for these, and no others. */
const CAPITAL_MESSAGE = new Set([
  'SerializationException',
  'UnknownOperationException',
  'TransactionCanceledException',
  'IdempotentParameterMismatchException',
  'TransactionInProgressException',
])
const DYNAMODB_NAMESPACE = 'com.amazonaws.dynamodb.v20120810'

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
    const namespace = NAMESPACES[this.name]
    const type = `${namespace ?? DYNAMODB_NAMESPACE}#${this.name}`
    const text = CAPITAL_MESSAGE.has(this.name) ? { Message: this.message } : { message: this.message }
    return { __type: type, ...text, ...this.members }
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
