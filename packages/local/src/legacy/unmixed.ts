import { validationException } from '../errors/service-error.js'

/**
 * Checks that a request uses either legacy parameters or expressions, and not both. An empty parameter counts as
 * missing.
 *
 * @param legacy the names of an operation's legacy parameters, in the order in which the service lists them.
 * @param expressions the names of its expressions, in the same order.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.html
 * @throws ServiceError that names all of both.
 */
export function checkUnmixed<Input extends object>(
  input: Input,
  legacy: readonly (keyof Input & string)[],
  expressions: readonly (keyof Input & string)[],
): void {
  if (!isOneGiven(input, legacy)) return
  const given = expressions.filter((name) => input[name] !== undefined)
  if (given.length === 0) return
  const old = legacy.filter((name) => isGiven(input[name]))
  throw validationException(
    `Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {${old.join(', ')}} Expression parameters: {${given.join(', ')}}`,
  )
}

/** A loop, because every write of one item comes here, and nearly none has a legacy parameter. */
function isOneGiven<Input extends object>(input: Input, names: readonly (keyof Input)[]): boolean {
  for (const name of names) if (isGiven(input[name])) return true
  return false
}

function isGiven(parameter: unknown): boolean {
  if (parameter === undefined) return false
  return typeof parameter !== 'object' || parameter === null || Object.keys(parameter).length > 0
}
