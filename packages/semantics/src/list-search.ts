import type { AttributeValue } from './attribute-value.js'
import { equalOnce } from './equal-large-values.js'
import { equalValues } from './equal-values.js'

/** Shorter lists are searched faster than their elements are collected. */
const MIN_ELEMENTS = 1_000

/** Collecting the elements of a list takes as long as a few searches. */
const MIN_SEARCHES = 4

/** The list that was searched last. An item of 400 KB can have a list of 100,000 elements, and one request 150 searches in it. */
let last:
  | { readonly list: WeakRef<object>; searches: number; texts?: ReadonlySet<string | undefined> }
  | undefined

/** Whether a list has an element that equals the value. */
export function hasElement(list: readonly AttributeValue[], value: AttributeValue): boolean {
  const text = scalarText(value)
  if (text === undefined) return equalOnce(list, value, () => isAmong(list, value))
  if (list.length < MIN_ELEMENTS) return isAmong(list, value)
  if (last?.list.deref() !== list) last = { list: new WeakRef(list), searches: 0 }
  last.searches += 1
  if (last.searches <= MIN_SEARCHES) return isAmong(list, value)
  last.texts ??= new Set(list.map(scalarText))
  return last.texts.has(text)
}

function isAmong(list: readonly AttributeValue[], value: AttributeValue): boolean {
  return list.some((element) => equalValues(value, element))
}

/** A text for each value that equals no other: `undefined` for lists, maps, sets and bytes. */
function scalarText(value: AttributeValue): string | undefined {
  if ('S' in value) return `S${value.S}`
  if ('N' in value) return `N${value.N}`
  if ('BOOL' in value) return `BOOL${value.BOOL}`
  return 'NULL' in value ? 'NULL' : undefined
}
