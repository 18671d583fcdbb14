import type { Item } from '@isotherm/semantics'
import type { StoredItem } from '../storage/ordered-map.js'
import { Fifo } from './fifo.js'

/**
 * Characters of all texts that are kept, with those of what holds them: 32 MB of memory, or up to twice as much beyond Latin-1.
 * A table of 30,000 items of 1 KB fits. The items themselves take a half more than their bytes, so a large table stays under
 * twice its bytes.
 */
const MAX_CHARACTERS = 32 * 1024 * 1024

/** What a text takes besides its characters: its header, the object that holds it, and a place in the list. */
const CHARACTERS_OF_A_TEXT = 64

/**
 * When no more fit, every eighth new text replaces older ones. If each one did, a scan of a larger table would replace all
 * texts before they are read again, and take a third longer than without any.
 */
const REPLACING_EVERY = 8

/**
 * A text that is kept, until the list gives it up. The list does not hold the item, which may have been replaced or deleted:
 * a small item is several times as large as its text.
 */
class KeptText {
  text: string | undefined

  constructor(text: string) {
    this.text = text
  }
}

/** Kept texts in the order of their first reads, and the sum of their sizes. */
const kept = new Fifo<KeptText>()
let characters = 0
let refused = 0

const sizeOf = (text: string) => text.length + CHARACTERS_OF_A_TEXT

/** @returns the text to keep, or `undefined` if there is no room for it */
function keep(text: string): KeptText | undefined {
  const isFull = characters + sizeOf(text) > MAX_CHARACTERS
  if (isFull && ++refused % REPLACING_EVERY !== 0) return undefined
  const added = new KeptText(text)
  kept.push(added)
  characters += sizeOf(text)
  while (characters > MAX_CHARACTERS) giveUpOldest()
  return added
}

function giveUpOldest(): void {
  const oldest = kept.shift()
  if (oldest?.text === undefined) return
  characters -= sizeOf(oldest.text)
  oldest.text = undefined
}

/**
 * A stored item that may keep its JSON. Writing the JSON of 100 items of 100 bytes takes 37 microseconds, more than a third
 * of the processor time of a Query. Joining kept texts takes 5.
 */
export class PrintedItem implements StoredItem {
  readonly item: Item
  readonly bytes: number
  #kept: KeptText | undefined = undefined

  constructor(item: Item, bytes: number) {
    this.item = item
    this.bytes = bytes
  }

  /** The item in JSON, as responses contain it. */
  get text(): string {
    return this.#kept?.text ?? this.#print()
  }

  #print(): string {
    const text = inOnePiece(JSON.stringify(this.item))
    this.#kept = keep(text)
    return text
  }
}

/**
 * The same text. Up to Node 22, V8 leaves one that it has written as JSON in the pieces in which it has grown, which take a third more
 * memory than the text of a small item. It joins them for whoever looks at a character.
 */
function inOnePiece(text: string): string {
  text.charCodeAt(0)
  return text
}

/** Whether an item was read from disk for the reader. */
export function isFromDisk(stored: StoredItem): boolean {
  return !(stored instanceof PrintedItem)
}

/** The JSON of a stored item of any kind. */
export function printedText(stored: StoredItem): string {
  return stored.text ?? JSON.stringify(stored.item)
}
