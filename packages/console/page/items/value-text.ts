import type { AttributeValue } from './dynamodb'

/** The type of a value, such as `S`. */
export function typeOf(value: AttributeValue): string {
  return Object.keys(value)[0] ?? ''
}

/** A value in one line. */
export function valueText(value: AttributeValue): string {
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
      return `[${(content as readonly AttributeValue[]).map(valueText).join(', ')}]`
    case 'M': {
      const members = Object.entries(content as Readonly<Record<string, AttributeValue>>)
      return `{${members.map(([name, member]) => `${name}: ${valueText(member)}`).join(', ')}}`
    }
    default:
      return JSON.stringify(content)
  }
}
