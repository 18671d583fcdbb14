/** The service's sentences about operators, functions and their operands, which expressions and PartiQL statements share. */

export function tooManyOptionsText(count: number): string {
  return `The IN operator is provided with too many operands; number of operands: ${count}`
}

export function operandCountText(operatorOrFunction: string, count: number): string {
  return `Incorrect number of operands for operator or function; operator or function: ${operatorOrFunction}, number of operands: ${count}`
}

export function operandTypeText(operatorOrFunction: string, type: string): string {
  return `Incorrect operand type for operator or function; operator or function: ${operatorOrFunction}, operand type: ${type}`
}

/** @param path the operand, as `describePath` prints it. */
export function sameOperandText(operator: string, path: string): string {
  return `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: ${path}`
}

export function pathRequiredText(operatorOrFunction: string): string {
  return `Operator or function requires a document path; operator or function: ${operatorOrFunction}`
}

/** For a function that belongs to the other kind of expression. */
export function forbiddenFunctionText(name: string, expression: 'a condition' | 'an update'): string {
  return `The function is not allowed in ${expression} expression; function: ${name}`
}

/** For a function in a place that takes only another kind of value or condition. */
export function misusedFunctionText(name: string): string {
  return `The function is not allowed to be used this way in an expression; function: ${name}`
}

export function unknownFunctionText(name: string): string {
  return `Invalid function name; function: ${name}`
}
