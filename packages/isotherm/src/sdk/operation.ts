import type { AnyCommand } from './physical-client.js'

/**
 * DynamoDB's name of what a command does, such as `PutItem`, for low-level and document commands alike.
 *
 * Read from the command's schema, not by `instanceof`: a project may hold two copies of the SDK, and a bundler may rename
 * classes. Clients from before the schemas have the name in their class only.
 */
export function operationOf(command: AnyCommand): string {
  const lowLevel = lowLevelCommand(command)
  if ('schema' in lowLevel && Array.isArray(lowLevel.schema) && typeof lowLevel.schema[2] === 'string') {
    return lowLevel.schema[2]
  }
  return lowLevel.constructor.name.replace(/Command$/, '')
}

/** Whether the command takes plain JavaScript values, as those of `@aws-sdk/lib-dynamodb` do. */
export function isDocumentCommand(command: AnyCommand): boolean {
  return lowLevelCommand(command) !== command
}

function lowLevelCommand(command: AnyCommand): object {
  const inner = 'clientCommand' in command ? command.clientCommand : undefined
  return typeof inner === 'object' && inner !== null ? inner : command
}
