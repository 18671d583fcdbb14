import * as sdk from '@aws-sdk/client-dynamodb'

/** The SDK's classes are named after the service's errors. */
const CLASSES: Readonly<Record<string, unknown>> = sdk

/** The error of a response, in the SDK's class. */
export function exceptionOf(
  status: number,
  members: Readonly<Record<string, unknown>>,
  $metadata: sdk.DynamoDBServiceException['$metadata'],
): sdk.DynamoDBServiceException {
  const { __type, message, Message, ...more } = members
  const name = nameOf(__type)
  const text = [message, Message].find((each) => typeof each === 'string') ?? ''
  const details = { message: String(text), $metadata }
  const Known = Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined
  const exception =
    typeof Known === 'function' && name.endsWith('Exception')
      ? new (Known as new (options: object) => sdk.DynamoDBServiceException)(details)
      : new sdk.DynamoDBServiceException({ name, $fault: status >= 500 ? 'server' : 'client', ...details })
  return Object.assign(exception, more)
}

/** `com.amazonaws.dynamodb.v20120810#ThrottlingException` without its namespace. */
function nameOf(type: unknown): string {
  if (typeof type !== 'string') return 'UnknownError'
  return (type.split('#').at(-1) ?? type).split(':')[0] ?? type
}
