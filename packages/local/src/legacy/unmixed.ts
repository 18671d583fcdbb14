import { validationException } from '../errors/service-error.js'

/**
 * A request is written in the legacy way or with expressions, never both. An empty parameter is none.
 *
 * @param legacy the names of an operation's legacy parameters, in the order in which the service lists them.
 * @param expressions the same of its expressions.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.html
 * @throws ServiceError naming all of both.
 */
export function checkUnmixed<Input extends object>(
  input: Input,
  legacy: readonly (keyof Input & string)[],
  expressions: readonly (keyof Input & string)[],
): void {
  if (!legacy.some((name) => isGiven(input[name]))) return
  const given = expressions.filter((name) => input[name] !== undefined)
  if (given.length === 0) return
  const old = legacy.filter((name) => isGiven(input[name]))
  throw validationException(
    `Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {${old.join(', ')}} Expression parameters: {${given.join(', ')}}`,
  )
}

function isGiven(parameter: unknown): boolean {
  if (parameter === undefined) return false
  return typeof parameter !== 'object' || parameter === null || Object.keys(parameter).length > 0
}
