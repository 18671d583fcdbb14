/**
 * Prints a value in the AWS query protocol: members as elements, and list members as elements named `member`. It is
 * hand-written, because this protocol uses no attributes, no order and no mixed content of XML. Source:
 * https://smithy.io/2.0/aws/protocols/aws-query-protocol.html
 */
export function printXml(name: string, value: unknown): string {
  return value === undefined ? '' : `<${name}>${contentOf(value)}</${name}>`
}

function contentOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((member) => printXml('member', member)).join('')
  if (isTime(value)) return value.toISOString()
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, member]) => printXml(name, member))
      .join('')
  }
  return escapeText(String(value))
}

function isTime(value: unknown): value is { toISOString(): string } {
  return typeof value === 'object' && value !== null && 'toISOString' in value
}

/** Characters that XML cannot contain, such as a byte 0 in a key, become the replacement character. */
function escapeText(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
}
