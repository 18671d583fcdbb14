import { GetItemCommand } from '@aws-sdk/client-dynamodb'
import type { AttributeValue, Item } from '@isotherm/semantics'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { Sender } from '../sending/pattern-client.js'
import { checksumOf } from './checksum.js'
import { fromFrame, unknownCodecOf } from './codec.js'
import { fromReference } from './content.js'
import { codecMissing, corrupt, unknownFormat } from './damaged-value.js'
import type { ParsedLargeOptions } from './large-options.js'
import type { Pieces } from './pieces.js'
import { fromStandIn, isStandIn, MARK, type StoredAttribute } from './stored-attribute.js'
import { fromBytes } from './value-bytes.js'

export interface Reading {
  readonly key: Item
  /** Names of the attributes that are read; `undefined` for all. */
  readonly attributes: readonly string[] | undefined
  readonly isConsistent: boolean
  readonly signal: AbortSignal | undefined
}

/** An item is read again when its content has been replaced meanwhile. A writer would have to win each time. */
const MAX_TRIES = 8

/**
 * Reads an item with the values of its stand-ins. Pieces of attributes that are not asked for are not read.
 *
 * The pieces of a content that was replaced while they were read are missing. Then the item is read again, consistently. So the
 * values of one answer all come from one put.
 *
 * @throws IsothermError `large.corrupt`, `large.codec`, `large.format`, `large.no-store` or `large.contended`
 */
export async function readItem(
  db: Sender,
  pieces: Pieces,
  options: ParsedLargeOptions,
  { key, attributes, isConsistent, signal }: Reading,
): Promise<Item | undefined> {
  const { table } = options
  const names = attributes === undefined ? [] : [...new Set([...attributes, MARK])]
  const projection =
    attributes === undefined
      ? {}
      : {
          ProjectionExpression: names.map((_, index) => `#a${index}`).join(', '),
          ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#a${index}`, name])),
        }
  let seen: string | undefined
  for (let tried = 1; tried <= MAX_TRIES; tried++) {
    const command = new GetItemCommand({
      TableName: table,
      Key: key,
      // mark: second-look-is-consistent
      ConsistentRead: isConsistent || tried > 1,
      ...projection,
    })
    const { Item: found } = await db.send(command, signal && { abortSignal: signal })
    if (found === undefined) return undefined
    const restored = await restoreItem(found as Item, pieces, options, signal)
    if (restored !== undefined) return restored
    const reference = JSON.stringify(found[MARK])
    // The same content twice, the second time for certain: nobody has replaced it, and yet a piece is missing.
    if (tried > 2 && reference === seen) throw corrupt({ table, attribute: MARK })
    seen = reference
  }
  throw new IsothermError(
    'large.contended',
    `An item of ${table} was replaced during each of ${MAX_TRIES} tries to read it. Try again, or write the item less often.`,
    { table, tries: MAX_TRIES },
  )
}

/**
 * The item with values in the place of stand-ins.
 *
 * @returns `undefined` if a piece is missing
 */
export async function restoreItem(
  found: Item,
  pieces: Pieces,
  options: ParsedLargeOptions,
  signal: AbortSignal | undefined,
): Promise<Item | undefined> {
  const { [MARK]: reference, ...item } = found
  for (const [attribute, value] of Object.entries(item)) {
    if (!isStandIn(value)) continue
    const stored = fromStandIn(value)
    if (stored === undefined) throw unknownFormat({ table: options.table, attribute })
    const bytes = await bytesOf(attribute, stored, reference, pieces, options, signal)
    if (bytes === undefined) return undefined
    item[attribute] = await checkedValue(attribute, stored, bytes, options)
  }
  return item
}

async function bytesOf(
  attribute: string,
  stored: StoredAttribute,
  reference: AttributeValue | undefined,
  pieces: Pieces,
  { table }: ParsedLargeOptions,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  if (stored.kind === 'compressed') {
    const codec = unknownCodecOf(stored.frame)
    if (codec !== undefined) throw codecMissing({ table, attribute }, codec)
    return fromFrame(stored.frame) ?? new Uint8Array()
  }
  const content = reference && 'S' in reference ? fromReference(reference.S) : undefined
  // An item is written with its reference and its stand-ins at once.
  if (content?.name !== stored.content) throw unknownFormat({ table, attribute })
  return pieces.read(attribute, stored, content.place, signal)
}

async function checkedValue(
  attribute: string,
  stored: StoredAttribute,
  bytes: Uint8Array,
  { table, clock }: ParsedLargeOptions,
): Promise<AttributeValue> {
  const sha256 = await checksumOf(bytes, clock)
  if (bytes.length !== stored.bytes || Buffer.compare(sha256, stored.sha256) !== 0)
    throw corrupt({ table, attribute })
  return fromBytes({ type: stored.type, bytes })
}
