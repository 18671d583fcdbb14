import type { AttributeValue, Item } from '@isotherm/semantics'
import type { ContentType } from './value-bytes.js'

/** The member of a map that marks it as the stand-in for a value, and the attribute that names an item's content. */
export const MARK = 'isotherm_large'

/** Of this format. A later one gets another number, so that an older process does not misread it. */
const VERSION = 1

/** What is known of a value that is not stored as it is. */
interface Described {
  readonly type: ContentType
  /** Of the value as bytes, before compression. */
  readonly bytes: number
  readonly sha256: Uint8Array
}

/** A value in one frame inside the item. */
interface CompressedAttribute extends Described {
  readonly kind: 'compressed'
  readonly frame: Uint8Array
}

/** A value in pieces beside the item. */
export interface PiecedAttribute extends Described {
  readonly kind: 'pieces'
  readonly content: string
  /** Of the content's pieces, the first one of this value. */
  readonly from: number
  readonly pieces: number
}

/** What an item has in the place of a value. */
export type StoredAttribute = CompressedAttribute | PiecedAttribute

/** The value is a map with one member, so that the attribute exists for conditions and filters of the application. */
export function toStandIn(stored: StoredAttribute): AttributeValue {
  const described: Item = {
    v: { N: String(VERSION) },
    type: { S: stored.type },
    bytes: { N: String(stored.bytes) },
    sha256: { B: stored.sha256 },
  }
  const place: Item =
    stored.kind === 'compressed'
      ? { frame: { B: stored.frame } }
      : {
          content: { S: stored.content },
          from: { N: String(stored.from) },
          pieces: { N: String(stored.pieces) },
        }
  return { M: { [MARK]: { M: { ...described, ...place } } } }
}

/** Whether the value is a stand-in, of this format or another. */
export function isStandIn(value: AttributeValue): boolean {
  return 'M' in value && value.M[MARK] !== undefined
}

/** @returns `undefined` for a stand-in that this version cannot read */
export function fromStandIn(value: AttributeValue): StoredAttribute | undefined {
  const mark = 'M' in value ? value.M[MARK] : undefined
  if (mark === undefined || !('M' in mark)) return undefined
  const { v, type, bytes, sha256, frame, content, from, pieces } = mark.M
  if (numberOf(v) !== VERSION || !type || !('S' in type) || !sha256 || !('B' in sha256)) return undefined
  const described = { type: type.S as ContentType, bytes: numberOf(bytes), sha256: sha256.B }
  if (frame && 'B' in frame) return { kind: 'compressed', ...described, frame: frame.B }
  if (!content || !('S' in content)) return undefined
  return { kind: 'pieces', ...described, content: content.S, from: numberOf(from), pieces: numberOf(pieces) }
}

function numberOf(value: AttributeValue | undefined): number {
  return value !== undefined && 'N' in value ? Number(value.N) : Number.NaN
}
