/** A value of JSON, or of YAML with its tags in the long form of CloudFormation. */
export type Plain = string | number | boolean | null | Plain[] | PlainObject

export interface PlainObject {
  [name: string]: Plain
}

export function isPlainObject(value: Plain | undefined): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function objectIn(value: Plain | undefined): PlainObject {
  return isPlainObject(value) ? value : {}
}

export function listIn(value: Plain | undefined): readonly Plain[] {
  return Array.isArray(value) ? value : []
}

export function textIn(value: Plain | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** A whole number, also where a template gives it as text. */
export function numberIn(value: Plain | undefined): number | undefined {
  const number = typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isFinite(number) && value !== '' ? number : undefined
}

export function isTrue(value: Plain | undefined): boolean {
  return value === true || value === 'true'
}
