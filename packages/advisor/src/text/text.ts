import type { AttributeValue } from '@isotherm/semantics'

/** `2,103` in every locale. */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

export function perCent(share: number): string {
  return `${(share * 100).toLocaleString('en-US', { maximumFractionDigits: share < 0.1 ? 1 : 0 })} %`
}

/** `400 B`, `1.5 KB`, `9.8 GB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${value.toLocaleString('en-US', { maximumFractionDigits: unit === 0 ? 0 : 1 })} ${units[unit]}`
}

const MAX_SHOWN = 40

/** A key's value as a person reads it. Control characters are replaced. */
export function valueText(value: AttributeValue): string {
  const text =
    'S' in value ? `"${value.S}"` : 'N' in value ? value.N : 'B' in value ? 'bytes' : JSON.stringify(value)
  const printable = text.replace(/[\p{Cc}\p{Cf}]/gu, '\uFFFD')
  return printable.length <= MAX_SHOWN ? printable : `${printable.slice(0, MAX_SHOWN)}…`
}

/** `status`, or `tenant and status`. */
export function namesText(names: readonly { readonly name: string }[]): string {
  return names.map(({ name }) => name).join(' and ')
}

/** A text as a literal of TypeScript. */
export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
