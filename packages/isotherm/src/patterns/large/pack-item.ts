import { attributeBytes, type Item, itemBytes } from '@isotherm/semantics'
import { IsothermError } from '../../errors/isotherm-error.js'
import { checksumAtOnce, checksumOf } from './checksum.js'
import { remainingShare, toFrame } from './codec.js'
import type { ParsedLargeOptions } from './large-options.js'
import { requireUnreserved } from './require-unreserved.js'
import { MARK, type PiecedAttribute, toStandIn } from './stored-attribute.js'
import { toBytes, type ValueBytes } from './value-bytes.js'

/** A value that leaves its item. */
interface Offloaded extends ValueBytes {
  readonly attribute: string
  readonly sha256: Uint8Array
}

/** An item divided into what stays in it and what leaves it. */
export interface PackedItem {
  /** With stand-ins for compressed values. */
  readonly item: Item
  readonly offloaded: readonly Offloaded[]
}

/** Compression that saves less than one write unit does not pay. */
const WRITE_UNIT_BYTES = 1_024
/** A stand-in for pieces, its name included, has fewer bytes than this. */
const STAND_IN_BYTES = 256
/** An estimate may be wrong by so much. */
const ESTIMATE_SLACK = 1.2
/** Compressing this takes about a tenth of a second, in which the process does nothing else. */
const MAX_BYTES_AT_ONCE = 4_194_304

/**
 * Divides an item: attributes are compressed where it pays, and if the item is still too large, its largest attributes leave it until it
 * fits.
 *
 * @throws IsothermError `large.reserved` or `large.unfit`
 */
export async function packItem(item: Item, options: ParsedLargeOptions): Promise<PackedItem> {
  requireUnreserved(item, options)
  requireSize(item, options.maxItemBytes, options, 'large.maxItemBytes')
  const packed: Item = { ...item }
  for (const name of candidates(item, options)) {
    const value = item[name]
    if (value === undefined) continue
    const compressed = compressedAttribute(toBytes(value), options)
    if (compressed === undefined) continue
    if (attributeBytes(name, compressed) > attributeBytes(name, value) - WRITE_UNIT_BYTES) continue
    packed[name] = compressed
  }
  const offloaded: Offloaded[] = []
  // Kept up to date: to measure the whole item for each attribute would take seconds for a thousand of them.
  let packedBytes = itemBytes(packed)
  for (const name of candidates(packed, options)) {
    const [value, before] = [item[name], packed[name]]
    if (value === undefined || before === undefined || packedBytes <= options.maxInlineBytes) break
    const bytes = toBytes(value)
    offloaded.push({ attribute: name, ...bytes, sha256: await checksumOf(bytes.bytes, options.clock) })
    // Counted with the bytes of a stand-in, which is not known before its pieces are.
    const standIn = { B: new Uint8Array(STAND_IN_BYTES) }
    packedBytes += attributeBytes(name, standIn) - attributeBytes(name, before)
    packed[name] = standIn
  }
  requireSize(packed, options.maxInlineBytes, options, 'large.maxInlineBytes')
  return { item: packed, offloaded }
}

/** The item with the stand-ins of the values that left it, and a reference to their content. */
export function withPieces(
  { item }: PackedItem,
  attributes: ReadonlyMap<string, PiecedAttribute>,
  reference: string,
): Item {
  const standIns = Array.from(attributes, ([name, stored]) => [name, toStandIn(stored)] as const)
  return { ...item, ...Object.fromEntries(standIns), [MARK]: { S: reference } }
}

/** Attributes that may leave the item, the largest first. */
function candidates(item: Item, { keys, minAttributeBytes }: ParsedLargeOptions): readonly string[] {
  const sizes = new Map<string, number>()
  for (const [name, value] of Object.entries(item)) {
    const bytes = attributeBytes(name, value)
    if (bytes >= minAttributeBytes && !keys.includes(name)) sizes.set(name, bytes)
  }
  return [...sizes.keys()].sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0))
}

function compressedAttribute(value: ValueBytes, { compression, maxInlineBytes }: ParsedLargeOptions) {
  const { bytes, type } = value
  const expected = bytes.length * remainingShare(bytes, compression)
  // What has to leave the item anyway is compressed piece by piece.
  if (expected > maxInlineBytes * ESTIMATE_SLACK || bytes.length > MAX_BYTES_AT_ONCE) return undefined
  if (expected >= bytes.length) return undefined
  const frame = toFrame(bytes, compression)
  const sha256 = checksumAtOnce(bytes)
  return toStandIn({ kind: 'compressed', type, bytes: bytes.length, sha256, frame })
}

function requireSize(item: Item, maxBytes: number, { table }: ParsedLargeOptions, option: string): void {
  const bytes = itemBytes(item)
  if (bytes <= maxBytes) return
  const rule =
    option === 'large.maxItemBytes'
      ? `${option} is ${maxBytes}. Raise it, or divide the item.`
      : `the keys and the attributes that are too small to leave it may have ${maxBytes} (${option}). Lower large.minAttributeBytes, or join small attributes into one.`
  throw new IsothermError('large.unfit', `An item for ${table} has ${bytes} bytes; ${rule}`, {
    table,
    bytes,
    maxBytes,
  })
}
