import type { AnyCommand } from './physical-client.js'

/**
 * The DynamoDB operation of a command, such as `PutItem`, for low-level and document commands alike.
 *
 * It is read from the command's schema instead of checked by `instanceof`, because a project may contain two copies of
 * the SDK, and a bundler may rename classes. Older SDK versions without schemas have the name only in their class.
 */
export function operationOf(command: AnyCommand): string {
  const lowLevel = lowLevelCommand(command)
  if ('schema' in lowLevel && Array.isArray(lowLevel.schema) && typeof lowLevel.schema[2] === 'string') {
    return lowLevel.schema[2]
  }
  return lowLevel.constructor.name.replace(/Command$/, '')
}

/** Whether the command takes plain JavaScript values, like those of `@aws-sdk/lib-dynamodb`. */
export function isDocumentCommand(command: AnyCommand): boolean {
  return lowLevelCommand(command) !== command
}

function lowLevelCommand(command: AnyCommand): object {
  const inner = 'clientCommand' in command ? command.clientCommand : undefined
  return typeof inner === 'object' && inner !== null ? inner : command
}
