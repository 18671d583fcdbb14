import type { AttributeValue } from './attribute-value.js'
import { equalOnce } from './equal-large-values.js'
import { equalValues } from './equal-values.js'
import { valueText } from './value-text.js'

/** Shorter lists are searched faster than their elements are collected. */
const MIN_ELEMENTS = 1_000

/** The list that was searched last. An item of 400 KB can have a list of 100,000 elements, and one request 150 searches in it. */
let last: { readonly list: WeakRef<object>; texts?: ReadonlySet<string> } | undefined

/** Whether a list has an element that equals the value. */
export function hasElement(list: readonly AttributeValue[], value: AttributeValue): boolean {
  if (list.length < MIN_ELEMENTS) return isAmong(list, value)
  // The text of a large value takes as long as a search, and a request can look for it 150 times.
  return equalOnce(list, value, () => {
    if (last?.list.deref() !== list) {
      // Most lists are searched once.
      last = { list: new WeakRef(list) }
      return isAmong(list, value)
    }
    last.texts ??= new Set(list.map(valueText))
    return last.texts.has(valueText(value))
  })
}

function isAmong(list: readonly AttributeValue[], value: AttributeValue): boolean {
  return list.some((element) => equalValues(value, element))
}
