/** A JSON object whose members are not known yet. */
export type JsonObject = { readonly [member: string]: unknown }

/** Whether a JSON value is an object rather than null or a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
