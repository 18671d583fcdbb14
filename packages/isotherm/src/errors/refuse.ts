import { IsothermError } from './isotherm-error.js'

/** The error for a command that cannot be rewritten onto shards: PartiQL, and vector search. */
export function refuseCommand(table: string, operation: string): IsothermError<'command.unsupported'> {
  return new IsothermError(
    'command.unsupported',
    `${operation} is not supported on the sharded table ${table}, whose items are stored under physical keys. ` +
      'Use commands such as Query and PutItem, or send it through the client that isotherm was given.',
    { operation, table },
  )
}

/**
 * The error for a statement on a table of which only indexes are sharded, because it might change the indexed
 * attributes.
 */
export function refuseStatement(table: string, operation: string): IsothermError<'command.unsupported'> {
  return new IsothermError(
    'command.unsupported',
    `${operation} is not supported on the table ${table}, whose indexes are sharded by attributes that the library keeps true. ` +
      'Use commands such as Query and PutItem, or send a statement that only reads through the client that isotherm was given.',
    { operation, table },
  )
}

/** The error for a parameter that is not supported on a sharded table. `cure` is a sentence or two. */
export function refuseParameter(
  table: string,
  operation: string,
  parameter: string,
  cure: string,
): IsothermError<'command.parameter-unsupported'> {
  return new IsothermError(
    'command.parameter-unsupported',
    `${operation} on the sharded table ${table} has ${parameter}, which is not supported. ${cure}`,
    { operation, table, parameter },
  )
}

/**
 * Rejects legacy parameters.
 * @param expressions the kind of expression that replaces each of them, such as `Filter`
 * @throws IsothermError `command.parameter-unsupported`
 */
export function refuseLegacy(
  table: string,
  operation: string,
  input: object,
  expressions: Readonly<Record<string, string>>,
): void {
  for (const parameter in expressions) {
    if ((input as Readonly<Record<string, unknown>>)[parameter] === undefined) continue
    throw refuseParameter(
      table,
      operation,
      parameter,
      `Say the same with ${expressions[parameter]}Expression.`,
    )
  }
}
