import { createHash } from 'node:crypto'
import type { AttributeValue, Item } from '@isotherm/semantics'

/** What an archive has: how many items, and a digest of them in any order. */
export interface Contents {
  readonly items: number
  /** The sum of the items' SHA-256, modulo 2^256, in hexadecimal. A sum does not depend on the order, and notices a repeated item. */
  readonly digest: string
}

export const NO_CONTENTS: Contents = { items: 0, digest: '0'.repeat(64) }

const MODULUS = 1n << 256n

/** The contents with more items. */
export function plusItems({ items, digest }: Contents, more: readonly Item[]): Contents {
  let sum = BigInt(`0x${digest}`)
  for (const item of more) {
    const hash = createHash('sha256').update(canonicalText(item)).digest('hex')
    sum = (sum + BigInt(`0x${hash}`)) % MODULUS
  }
  return { items: items + more.length, digest: sum.toString(16).padStart(64, '0') }
}

export function isSame(a: Contents, b: Contents): boolean {
  return a.items === b.items && a.digest === b.digest
}

/** As in messages. */
export function contentsText({ items, digest }: Contents): string {
  return `${items} items with the digest ${digest.slice(0, 12)}`
}

/** An item as a line of DynamoDB JSON, which is also the format of DynamoDB's exports to S3 and imports from S3. */
export function toLine(item: Item): string {
  return `${JSON.stringify({ Item: jsonOf({ M: item }).M })}\n`
}

/** @throws SyntaxError for a text that is no such line */
export function fromLine(line: string): Item {
  const { Item } = JSON.parse(line) as { readonly Item: JsonValue }
  const parsed = fromJson({ M: Item as never })
  return 'M' in parsed ? parsed.M : {}
}

type JsonValue = { [type: string]: unknown }

/** Binary is base64 in JSON. */
function jsonOf(value: AttributeValue): JsonValue {
  if ('B' in value) return { B: Buffer.from(value.B).toString('base64') }
  if ('BS' in value) return { BS: value.BS.map((bytes) => Buffer.from(bytes).toString('base64')) }
  if ('L' in value) return { L: value.L.map(jsonOf) }
  if ('M' in value) return { M: mapped(value.M, jsonOf) }
  return value
}

function fromJson(value: JsonValue): AttributeValue {
  const { B, BS, L, M } = value
  if (typeof B === 'string') return { B: fromBase64(B) }
  if (Array.isArray(BS)) return { BS: BS.map(fromBase64) }
  if (Array.isArray(L)) return { L: L.map(fromJson) }
  if (M !== undefined) return { M: mapped(M as Record<string, JsonValue>, fromJson) }
  return value as unknown as AttributeValue
}

function mapped<From, To>(
  map: Readonly<Record<string, From>>,
  convert: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, convert(value)]))
}

/** The same for equal items: attributes and members of sets come in any order. */
function canonicalText(item: Item): string {
  return JSON.stringify(sorted(jsonOf({ M: item })))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, member]) => {
    const isSet = (name === 'SS' || name === 'NS' || name === 'BS') && isTexts(member)
    return [name, isSet ? [...member].sort() : sorted(member)] as const
  })
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string')
}

function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
