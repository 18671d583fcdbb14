import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { FORMAT_FILES, formatFile, inJson, readFormatFile } from '../test/format/format-vectors.js'

const pathOf = (name: string) => fileURLToPath(new URL(`../format/${name}.json`, import.meta.url))

// Read before the vectors may be written again, so that `--update` cannot hide a change of one.
const stored = new Map(
  Object.keys(FORMAT_FILES).map((name) => [name, readFormatFile(readFileSync(pathOf(name), 'utf8'))]),
)

describe.each(Object.entries(FORMAT_FILES))('the stored format: %s', (name, sections) => {
  const vectors = stored.get(name) ?? {}

  it.each(Object.entries(sections))('the library agrees with all vectors of %s', (part, { answer }) => {
    const expected = vectors[part] ?? []
    for (const vector of expected) expect(inJson({ ...vector, ...answer(vector) })).toEqual(inJson(vector))
  })

  it('the file has the vectors of all inputs, and no others', async () => {
    await expect(formatFile(sections)).toMatchFileSnapshot(pathOf(name))
  })
})
