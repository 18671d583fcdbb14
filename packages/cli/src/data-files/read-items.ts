import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { parse } from 'csv-parse'
import { CommandError, EXIT_FAILED } from '../command-error.js'
import { itemOfDynamodbJson } from './dynamodb-json.js'
import { isKept, isPrintedFloat } from './kept-number.js'
import type { KeyRules } from './key-rules.js'
import { withLargeNumbers } from './large-numbers.js'

/** An item in the SDK's low-level form. */
export type Item = Record<string, AttributeValue>

/** Several times what the largest item has as DynamoDB JSON. */
const MAX_LINE_LENGTH = 16 * 1024 * 1024

const DATA_FILE = /\.(jsonl|ndjson|json|csv)(\.gz)?$/
/** Manifests and checksums of an export, definitions of tables, and hidden files. */
const BESIDE_DATA = /(^|[/\\])(manifest-[^/\\]*|_started|\.[^/\\]*)$|\.md5$|\.table\.json$/

/** The data files of a path: the file itself, or those in the folder, in the order of their names. */
export function dataFiles(path: string): readonly string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory()
  if (isFolder === undefined) throw new CommandError(`There is no file ${path}.`, EXIT_FAILED)
  if (!isFolder) return [path]
  // An export of AWS has its data in the folder `data`, beside its manifests.
  const entries = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => !BESIDE_DATA.test(name))
    .sort()
  const data = entries.filter((name) => DATA_FILE.test(name))
  const other = entries.find((name) => statSync(join(path, name), { throwIfNoEntry: false })?.isFile())
  // The export of an empty table has no data.
  if (data.length > 0 || other === undefined) return data.map((name) => join(path, name))
  throw new CommandError(
    `The folder ${path} has no data to import, but ${other}; it must have files that end in .jsonl, .ndjson, .json or .csv, each also with .gz.`,
    EXIT_FAILED,
  )
}

/**
 * The items of a file: lines of DynamoDB JSON (with or without `Item` around them, as exports of AWS have it), lines of
 * plain JSON, or CSV with a line of names. Each may be compressed with gzip.
 *
 * @throws CommandError, which names the file and the line
 */
export async function* readItems(file: string, keys: KeyRules): AsyncGenerator<Item> {
  const source = createReadStream(file)
  let fail: (error: CommandError) => void = () => undefined
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  source.once('error', (error) => fail(unreadable(file, error)))
  failed.catch(() => undefined)
  const gunzip = file.endsWith('.gz') ? createGunzip() : undefined
  gunzip?.once('error', (error) => fail(notGzip(file, error)))
  const text: Readable = gunzip === undefined ? source : source.pipe(gunzip)
  const items = /\.csv(\.gz)?$/.test(file) ? csvItems(file, text, keys) : lineItems(file, text, keys)
  try {
    for (;;) {
      const next = await Promise.race([items.next(), failed])
      if (next.done) return
      yield next.value
    }
  } finally {
    source.destroy()
  }
}

async function* lineItems(file: string, text: Readable, keys: KeyRules): AsyncGenerator<Item> {
  let number = 0
  for await (const read of linesOf(text)) {
    const line = number++ === 0 ? read.replace(/^\uFEFF/, '') : read
    if (line.length > MAX_LINE_LENGTH) {
      const message = `${file}, line ${number}, has more than ${MAX_LINE_LENGTH} characters; it must be one item a line.`
      throw new CommandError(message, EXIT_FAILED)
    }
    if (line.trim() === '') continue
    yield fitting(itemOfLine(file, number, line), keys, file, () => number)
  }
}

/** Newer releases of Node's readline also end a line at U+2028, which a text in JSON may have. */
async function* linesOf(text: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const part of text.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = part.split('\n')
    lines[0] = rest + lines[0]
    rest = lines.pop() ?? ''
    yield* lines
    // The reader refuses it, and nothing more is kept.
    if (rest.length > MAX_LINE_LENGTH) break
  }
  if (rest !== '') yield rest
}

function itemOfLine(file: string, number: number, line: string): Item {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    const message = `${file}, line ${number}, is not JSON; it must be one item a line: ${line.slice(0, 80)}`
    throw new CommandError(message, EXIT_FAILED, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError(`${file}, line ${number}, is not an object; it must be an item.`, EXIT_FAILED)
  }
  try {
    return itemOfDynamodbJson(value) ?? itemOfPlainJson(value, line)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause)
    const message = `${file}, line ${number}, has a value that no item can have: ${reason}.`
    throw new CommandError(message, EXIT_FAILED, { cause })
  }
}

/** @throws Error for a number that JavaScript would change, which must not happen silently */
function itemOfPlainJson(value: object, line: string): Item {
  const changed = numbersIn(line).find((number) => !isKept(number) && !isPrintedFloat(number))
  if (changed === undefined) return marshall(withLargeNumbers(value), { removeUndefinedValues: true })
  throw new Error(`the number ${changed} has more digits than plain JSON keeps; write it as DynamoDB JSON`)
}

/** Numbers with so many characters that digits may be lost. */
const LONG_NUMBER = /-?\d[\d.eE+-]{15,}/g

/** The long numbers of a line of JSON. Most lines have none, also not in a text. */
function numbersIn(line: string): readonly string[] {
  return line.search(LONG_NUMBER) < 0 ? [] : (withoutTexts(line).match(LONG_NUMBER) ?? [])
}

/** JSON between its texts. Not by one pattern, which needs too much of the stack for a long text. */
function withoutTexts(line: string): string {
  let rest = ''
  for (let at = 0; ; ) {
    const begin = line.indexOf('"', at)
    if (begin < 0) return rest + line.slice(at)
    rest += `${line.slice(at, begin)} `
    at = begin + 1
    while (at < line.length && line[at] !== '"') at += line[at] === '\\' ? 2 : 1
    at++
  }
}

/** The parser would take those of the first line for those of all lines, and leave half of the others in their last cell. */
const LINE_ENDS = ['\r\n', '\n', '\r']

async function* csvItems(file: string, text: Readable, keys: KeyRules): AsyncGenerator<Item> {
  const options = {
    columns: true,
    bom: true,
    info: true,
    skip_empty_lines: true,
    record_delimiter: LINE_ENDS,
  }
  const rows = text.pipe(parse(options))
  text.once('error', (error) => rows.destroy(error))
  // The parser counts a line break of two characters in a cell twice.
  let countedTwice = 0
  try {
    for await (const { record, info } of rows as AsyncIterable<CsvRow>) {
      countedTwice += breaksIn(record, /\r\n/g)
      const first = () => info.lines - countedTwice - breaksIn(record, /\r\n|\r|\n/g)
      yield fitting(itemOfRow(record, keys.types), keys, file, first)
    }
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CommandError(`${file} is not a CSV file with a line of names: ${reason}.`, EXIT_FAILED, {
      cause,
    })
  }
}

interface CsvRow {
  readonly record: Record<string, string>
  /** `lines` is the line where the row ends. */
  readonly info: { readonly lines: number }
}

/** A cell between quotation marks may have several lines. */
function breaksIn(record: Record<string, string>, pattern: RegExp): number {
  return Object.values(record).reduce((sum, cell) => sum + (cell.match(pattern)?.length ?? 0), 0)
}

/** @throws CommandError for an item that the table cannot have, with its place */
function fitting(item: Item, keys: KeyRules, file: string, line: () => number): Item {
  const problem = keys.problemOf(item)
  if (problem === undefined) return item
  throw new CommandError(`${file}, line ${line()}: ${problem}.`, EXIT_FAILED)
}

/** Exactly as DynamoDB would print it, so that zip codes and versions stay texts. */
const NUMBER = /^-?(0|[1-9]\d{0,37})(\.\d*[1-9])?$/

/** An empty cell is no attribute. */
function itemOfRow(row: Record<string, string>, keyTypes: KeyRules['types']): Item {
  const item: Item = {}
  for (const [name, cell] of Object.entries(row)) {
    if (cell === '') continue
    const type = keyTypes.get(name) ?? (NUMBER.test(cell) ? 'N' : 'S')
    item[name] = type === 'N' ? { N: cell } : type === 'B' ? { B: Buffer.from(cell, 'base64') } : { S: cell }
  }
  return item
}

function notGzip(file: string, error: NodeJS.ErrnoException): CommandError {
  const message = `The file ${file} is not the gzip that its name promises, or ends early (${error.code ?? error.message}).`
  return new CommandError(message, EXIT_FAILED, { cause: error })
}

function unreadable(file: string, error: NodeJS.ErrnoException): CommandError {
  return new CommandError(`The file ${file} cannot be read (${error.code ?? error.message}).`, EXIT_FAILED, {
    cause: error,
  })
}
