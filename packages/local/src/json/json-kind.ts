import { type ServiceError, serializationException } from '../errors/service-error.js'

/** Whether a JSON value is an object and neither null nor a list. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The service's error for a scalar of the wrong type. */
export function cannotConvert(value: unknown, to: 'String' | 'Boolean' | 'Integer'): ServiceError {
  if (typeof value === 'object' && value !== null) return unexpectedKind(value)
  return serializationException(`${scalarKind(value)} cannot be converted to ${to}`)
}

/** The service's error for a list, a structure or a scalar in the wrong place. */
export function unexpectedKind(value: unknown): ServiceError {
  if (Array.isArray(value)) return serializationException('Start of list found where not expected')
  if (isJsonObject(value))
    return serializationException('Start of structure or map found where not expected.')
  return serializationException('Unexpected field type')
}

function scalarKind(value: unknown): string {
  if (typeof value === 'string') return 'STRING_VALUE'
  if (typeof value === 'number') return Number.isInteger(value) ? 'NUMBER_VALUE' : 'DECIMAL_VALUE'
  return value === true ? 'TRUE_VALUE' : value === false ? 'FALSE_VALUE' : 'NULL_VALUE'
}
