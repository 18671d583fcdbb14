import { IsothermError } from './isotherm-error.js'

/** The error for a command that would need more than one shard and is not built for that yet. */
export function refuseCommand(table: string, operation: string): IsothermError<'command.unsupported'> {
  return new IsothermError(
    'command.unsupported',
    `${operation} is not supported on the sharded table ${table} in this version; PutItem and Query are. ` +
      'Send it through the client that isotherm was given, with physical keys, if you know the shard.',
    { operation, table },
  )
}

/** The error for a parameter that cannot be honoured on a sharded table; `cure` is a sentence or two. */
export function refuseParameter(
  table: string,
  operation: string,
  parameter: string,
  cure: string,
): IsothermError<'command.parameter-unsupported'> {
  return new IsothermError(
    'command.parameter-unsupported',
    `${operation} on the sharded table ${table} has ${parameter}, which is not supported there. ${cure}`,
    { operation, table, parameter },
  )
}
