/** Up to this many comparisons, native code is faster, even at its worst. */
const NATIVE_COMPARISONS = 4_000_000

/** UTF-16 units or bytes. */
type Units = Uint16Array | Uint8Array

/**
 * Whether a text contains another one, in a time that grows with the sum of their lengths. Native search takes the
 * product of both lengths in the worst case, such as many equal characters: seconds for values of an item.
 */
export function containsText(text: string, part: string): boolean {
  if (isNativeFast(text, part)) return text.includes(part)
  return once(text, part, () => contains(unitsOf(text), unitsOf(part)))
}

/** The last long search. One expression can repeat the same search a hundred times. */
let last: { readonly whole: unknown; readonly part: unknown; readonly isFound: boolean } | undefined

function once<T>(whole: T, part: T, search: () => boolean): boolean {
  if (last?.whole !== whole || last.part !== part) last = { whole, part, isFound: search() }
  return last.isFound
}

/** The same for bytes. */
export function containsBytes(bytes: Uint8Array, part: Uint8Array): boolean {
  if (isNativeFast(bytes, part)) return viewOf(bytes).includes(viewOf(part))
  return once(bytes, part, () => contains(bytes, part))
}

function isNativeFast({ length }: { readonly length: number }, part: { readonly length: number }): boolean {
  return length * part.length <= NATIVE_COMPARISONS || part.length > length
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length)
  Buffer.from(units.buffer).write(text, 'utf16le')
  return units
}

/** The search of Knuth, Morris and Pratt. */
function contains(units: Units, part: Units): boolean {
  const borders = bordersOf(part)
  let matched = 0
  for (let index = 0; index < units.length; index++) {
    const unit = units[index]
    while (matched > 0 && part[matched] !== unit) matched = borders[matched - 1] ?? 0
    if (part[matched] === unit) matched++
    if (matched === part.length) return true
  }
  return false
}

/** For each beginning of the part: the length of the longest shorter beginning that it also ends with. */
function bordersOf(part: Units): Int32Array {
  const borders = new Int32Array(part.length)
  let length = 0
  for (let index = 1; index < part.length; index++) {
    const unit = part[index]
    while (length > 0 && part[length] !== unit) length = borders[length - 1] ?? 0
    if (part[length] === unit) length++
    borders[index] = length
  }
  return borders
}
