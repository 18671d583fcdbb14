/** An attribute's value; numbers have at most two decimals, so that a chart is the same text everywhere. */
export type SvgAttributes = Readonly<Record<string, string | number>>

/** One SVG element. `children` are elements, or text that has passed `escapeText`. */
export function element(
  name: string,
  attributes: SvgAttributes = {},
  ...children: readonly string[]
): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? shortNumber(value) : escapeText(value)}"`)
    .join('')
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('')}</${name}>`
}

/** A line of text at a position. */
export function label(content: string, x: number, y: number, attributes: SvgAttributes = {}): string {
  return element('text', { x, y, ...attributes }, escapeText(content))
}

/** Text as XML allows it: paths of a log can contain any character. */
export function escapeText(content: string): string {
  return content
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function shortNumber(value: number): string {
  return String(Number(value.toFixed(2)))
}
