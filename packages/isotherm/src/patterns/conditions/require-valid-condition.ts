import { assertAllUsed, bindCondition, type Item, Placeholders, parseCondition } from '@isotherm/semantics'
import { invalidOption } from '../../options/check.js'

const PARAMETER = 'ConditionExpression'

/**
 * Refuses a condition that DynamoDB would refuse for any item, for requests before which something else is written or created. Reserved words are
 * left to the service: engines differ in them, and their list would be a third of a bundle.
 *
 * @throws IsothermError `options.invalid`
 */
export function requireValidCondition(
  place: string,
  {
    expression,
    names,
    values,
  }: {
    readonly expression: string | undefined
    readonly names: Readonly<Record<string, string>>
    readonly values: Item
  },
): void {
  if (expression === undefined) return
  try {
    const placeholders = new Placeholders(names, values)
    bindCondition(PARAMETER, parseCondition(PARAMETER, expression), placeholders)
    assertAllUsed(placeholders)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw invalidOption(`${place}.expression`, expression, `a condition that DynamoDB accepts: ${reason}`)
  }
}
