import type { AttributeValue } from './attribute-value.js'
import { bytesAsText } from './equal-values.js'

/**
 * A text of a value: two values have the same text exactly where {@link equalValues} takes them for equal. Every part
 * says where it ends, so that the text of a list is the texts of its elements one after the other.
 *
 * @example
 * valueText({ SS: ['b', 'a'] }) === valueText({ SS: ['a', 'b'] })
 */
export function valueText(value: AttributeValue): string {
  if ('S' in value) return `S${measured(value.S)}`
  if ('N' in value) return `N${measured(value.N)}`
  if ('B' in value) return `B${measured(bytesAsText(value.B))}`
  if ('BOOL' in value) return value.BOOL ? 'true' : 'false'
  if ('NULL' in value) return 'null'
  if ('L' in value) return `L${value.L.length}:${value.L.map(valueText).join('')}`
  if ('M' in value) return mapText(value.M)
  if ('SS' in value) return `SS${setText(value.SS)}`
  if ('NS' in value) return `NS${setText(value.NS)}`
  return `BS${setText(value.BS.map(bytesAsText))}`
}

function mapText(map: { readonly [name: string]: AttributeValue }): string {
  const entries = Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1))
  return `M${entries.length}:${entries.map(([name, value]) => measured(name) + valueText(value)).join('')}`
}

function setText(members: readonly string[]): string {
  return `${members.length}:${members.toSorted().map(measured).join('')}`
}

function measured(text: string): string {
  return `${text.length}:${text}`
}
