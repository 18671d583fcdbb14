import { isUtf8 } from 'node:buffer'
import { isJsonObject } from '../json/json-kind.js'
import type { ImportEntry } from './import-entry.js'
import { type ObjectLine, objectLines } from './object-lines.js'

const BYTE_ORDER_MARK = '\ufeff'

/** The items of an object with one item of DynamoDB JSON on each line. */
export async function* jsonEntries(pieces: AsyncIterable<Buffer>): AsyncGenerator<readonly ImportEntry[]> {
  let number = 0
  for await (const lines of objectLines(pieces)) {
    const entries: ImportEntry[] = []
    for (const line of lines) {
      number++
      const entry = entryOf(line, number)
      if (entry !== undefined) entries.push(entry)
    }
    yield entries
  }
}

/** @returns nothing for a line without content */
function entryOf(bytes: ObjectLine, line: number): ImportEntry | undefined {
  const bad = (error: string): ImportEntry => ({ line, item: undefined, error })
  if (bytes === undefined) return bad('The line is longer than any item. It must hold one item')
  if (!isUtf8(bytes)) return bad('The line is not text in UTF-8')
  let text = bytes.toString()
  if (line === 1 && text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1)
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return bad('The line is not JSON. It must be one item in one line: {"Item":{...}}')
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, 'Item')) {
    return bad('The line has no member Item. It must be one item in one line: {"Item":{...}}')
  }
  return { line, item: value.Item, error: undefined }
}
