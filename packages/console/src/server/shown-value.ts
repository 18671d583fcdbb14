const MAX_SHOWN = 100

/** A value of a request as a message shows it: its beginning, however long or deep it is. */
export function shownValue(value: unknown): string {
  const json = jsonOf(value)
  return json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN)}...` : json
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'missing'
  } catch {
    return 'nested too deeply'
  }
}
