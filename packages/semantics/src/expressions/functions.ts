/** Functions that are true or false. */
export type ConditionFunction =
  | 'attribute_exists'
  | 'attribute_not_exists'
  | 'attribute_type'
  | 'begins_with'
  | 'contains'

/**
 * Functions of conditions, by name, with the number of operands that each takes.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
 */
export const CONDITION_FUNCTION_OPERANDS: ReadonlyMap<string, number> = new Map<
  ConditionFunction | 'size',
  number
>([
  ['attribute_exists', 1],
  ['attribute_not_exists', 1],
  ['attribute_type', 2],
  ['begins_with', 2],
  ['contains', 2],
  ['size', 1],
])

/** Whether the function is true or false; `size` is a function of conditions with a value. */
export function isConditionFunction(name: string): name is ConditionFunction {
  return name !== 'size' && CONDITION_FUNCTION_OPERANDS.has(name)
}

/** Whether the function sets a value in an update. */
export function isUpdateFunction(name: string): boolean {
  return name === 'if_not_exists' || name === 'list_append'
}
