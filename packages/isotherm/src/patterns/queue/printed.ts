/** A text for any value. `String` throws for an object without a prototype. */
export function printed(value: unknown): string {
  try {
    return value instanceof Error ? `${value.name}: ${value.message}` : String(value)
  } catch {
    return Object.prototype.toString.call(value)
  }
}
