import { cardSections } from './card-vectors.js'
import { indexSections } from './index-vectors.js'
import { moveSections } from './move-vectors.js'
import { placementSections } from './placement-vectors.js'
import { shardMapSections } from './shard-map-vectors.js'
import { suffixSections } from './suffix-vectors.js'
import type { FormatVector, Section } from './vector-section.js'

/** The version of the stored format. A changed vector is a new version, and readers of both. */
const FORMAT = 1

/** The files of test vectors, by name, and their sections. */
export const FORMAT_FILES: Readonly<Record<string, Readonly<Record<string, Section>>>> = {
  suffixes: suffixSections,
  placement: placementSections,
  card: cardSections,
  'shard-map': shardMapSections,
  moves: moveSections,
  indexes: indexSections,
}

/** The text of a file, with one vector a line. */
export function formatFile(sections: Readonly<Record<string, Section>>): string {
  const parts = Object.entries(sections).map(([name, { inputs, answer }]) => {
    const lines = inputs.map((input) => `    ${JSON.stringify(inJson({ ...input, ...answer(input) }))}`)
    return `  ${JSON.stringify(name)}: [\n${lines.join(',\n')}\n  ]`
  })
  return `{\n  "format": ${FORMAT},\n${parts.join(',\n')}\n}\n`
}

/** Reads the sections of a file. Bytes are in base64, as in DynamoDB's JSON. */
export function readFormatFile(text: string): Readonly<Record<string, readonly FormatVector[]>> {
  const { format, ...sections } = JSON.parse(text, (name, value) => {
    if (name === 'B' && typeof value === 'string') return bytesOf(value)
    return name === 'BS' ? value.map(bytesOf) : value
  }) as { format: number } & Record<string, readonly FormatVector[]>
  if (format !== FORMAT) throw new Error(`The vectors are of format ${format}, and the tests of ${FORMAT}.`)
  return sections
}

function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'))
}

/** A value as it is in a file. */
export function inJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map(inJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inJson(member)]))
}
