import { NumberValueImpl as NumberValue } from '@aws-sdk/util-dynamodb'

/**
 * A value of plain JSON whose numbers beyond those of JavaScript's whole numbers are in the form in which the SDK accepts them. It refuses
 * others, because they may have lost digits. Of those of a file that is known.
 */
export function withLargeNumbers<Value>(value: Value): Value {
  return (typeof value === 'object' && value !== null && hasLarge(value) ? wrapped(value) : value) as Value
}

function isLarge(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER
}

function hasLarge(value: object): boolean {
  return Object.values(value).some((each) =>
    typeof each === 'object' && each !== null ? hasLarge(each) : isLarge(each),
  )
}

function wrapped(value: unknown): unknown {
  if (isLarge(value)) return NumberValue.from(String(value))
  if (Array.isArray(value)) return value.map(wrapped)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, wrapped(each)]))
}
