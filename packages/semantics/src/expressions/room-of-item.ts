import type { AttributeValue } from '../attribute-value.js'
import { valueBytes } from '../item-size.js'
import { MAX_ITEM_BYTES } from '../limits.js'

/**
 * What an item has room for. An update can set hundreds of copies of a large list. Once the values that it sets are too large together,
 * the item is refused for its size, whatever follows. So from then on lists, maps and sets are left empty, instead of being built and
 * measured.
 */
export class Room {
  #bytes = MAX_ITEM_BYTES

  /** The elements of two lists. */
  joined(first: readonly AttributeValue[], second: readonly AttributeValue[]): AttributeValue[] {
    return this.#isFull ? [] : [...first, ...second]
  }

  /** Takes the room of a value. @returns the value, or an empty one of its type */
  taken(value: AttributeValue): AttributeValue {
    if (this.#isFull) return emptied(value)
    this.#bytes -= valueBytes(value)
    return value
  }

  get #isFull(): boolean {
    return this.#bytes < 0
  }
}

function emptied(value: AttributeValue): AttributeValue {
  if ('L' in value) return { L: [] }
  if ('M' in value) return { M: {} }
  if ('SS' in value) return { SS: [] }
  if ('NS' in value) return { NS: [] }
  return 'BS' in value ? { BS: [] } : value
}
