import type { JsonValue } from '../../src/items/item'

/** The type of a value, such as `S`. */
export function typeOf(value: JsonValue): string {
  return Object.keys(value)[0] ?? ''
}

/** A value in one line. */
export function valueText(value: JsonValue): string {
  const [[type, content] = ['', undefined]] = Object.entries(value)
  switch (type) {
    case 'S':
    case 'N':
    case 'B':
      return String(content)
    case 'BOOL':
      return String(content)
    case 'NULL':
      return 'null'
    case 'SS':
    case 'NS':
    case 'BS':
      return (content as readonly string[]).join(', ')
    case 'L':
      return `[${(content as readonly JsonValue[]).map(valueText).join(', ')}]`
    case 'M': {
      const members = Object.entries(content as Readonly<Record<string, JsonValue>>)
      return `{${members.map(([name, member]) => `${name}: ${valueText(member)}`).join(', ')}}`
    }
    default:
      return JSON.stringify(content)
  }
}

/** Numbers of ten digits are often seconds since the epoch, and those of thirteen milliseconds. */
const EPOCHS = [
  [/^1\d{9}$|^[2-4]\d{9}$/, 1_000],
  [/^1\d{12}$|^[2-4]\d{12}$/, 1],
] as const

/** The time that a number may be. */
export function timeText({ N }: JsonValue): string | undefined {
  const text = String(N)
  const factor = EPOCHS.find(([pattern]) => pattern.test(text))?.[1]
  return factor === undefined
    ? undefined
    : new Date(Number(text) * factor).toISOString().replace('.000Z', 'Z')
}
