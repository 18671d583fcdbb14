import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { parse } from 'csv-parse'
import { CommandError, EXIT_FAILED } from '../command-error.js'
import { itemOfDynamodbJson } from './dynamodb-json.js'

/** An item in the SDK's low-level form. */
export type Item = Record<string, AttributeValue>

/** How numbers of a CSV are known: by the types of the table's keys, and by their look elsewhere. */
export type KeyTypes = ReadonlyMap<string, string>

const DATA_FILE = /\.(jsonl|ndjson|json|csv)(\.gz)?$/

/** The data files of a path: the file itself, or those in the folder, in the order of their names. */
export function dataFiles(path: string): readonly string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory()
  if (isFolder === undefined) throw new CommandError(`There is no file ${path}.`, EXIT_FAILED)
  if (!isFolder) return [path]
  // An export of AWS has its data in the folder `data`, beside its manifests.
  const entries = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return entries
    .filter((name) => DATA_FILE.test(name) && !/(^|\/)manifest-|\.table\.json$/.test(name))
    .sort()
    .map((name) => join(path, name))
}

/**
 * The items of a file: lines of DynamoDB JSON (with or without `Item` around them, as exports of AWS have it), lines of
 * plain JSON, or CSV with a line of names. Each may be compressed with gzip.
 *
 * @throws CommandError, which names the file and the line
 */
export async function* readItems(file: string, keyTypes: KeyTypes): AsyncGenerator<Item> {
  const source = createReadStream(file)
  const failed = new Promise<never>((_, reject) => {
    source.once('error', (error) => reject(unreadable(file, error)))
  })
  failed.catch(() => undefined)
  const text: Readable = file.endsWith('.gz') ? source.pipe(createGunzip()) : source
  const items = /\.csv(\.gz)?$/.test(file) ? csvItems(file, text, keyTypes) : lineItems(file, text)
  for (;;) {
    const next = await Promise.race([items.next(), failed])
    if (next.done) return
    yield next.value
  }
}

async function* lineItems(file: string, text: Readable): AsyncGenerator<Item> {
  let number = 0
  for await (const line of createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++
    if (line.trim() === '') continue
    yield itemOfLine(file, number, line)
  }
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
    throw new CommandError(`${file}, line ${number}, is no object; it must be an item.`, EXIT_FAILED)
  }
  return itemOfDynamodbJson(value) ?? marshall(value, { removeUndefinedValues: true })
}

async function* csvItems(file: string, text: Readable, keyTypes: KeyTypes): AsyncGenerator<Item> {
  const rows = text.pipe(parse({ columns: true, bom: true, skip_empty_lines: true }))
  text.once('error', (error) => rows.destroy(error))
  try {
    for await (const row of rows as AsyncIterable<Record<string, string>>) yield itemOfRow(row, keyTypes)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CommandError(`${file} is no CSV with a line of names: ${reason}.`, EXIT_FAILED, { cause })
  }
}

/** Exactly as DynamoDB would print it, so that zip codes and versions stay texts. */
const NUMBER = /^-?(0|[1-9]\d{0,37})(\.\d*[1-9])?$/

/** An empty cell is no attribute. */
function itemOfRow(row: Record<string, string>, keyTypes: KeyTypes): Item {
  const item: Item = {}
  for (const [name, cell] of Object.entries(row)) {
    if (cell === '') continue
    const type = keyTypes.get(name) ?? (NUMBER.test(cell) ? 'N' : 'S')
    item[name] = type === 'N' ? { N: cell } : type === 'B' ? { B: Buffer.from(cell, 'base64') } : { S: cell }
  }
  return item
}

function unreadable(file: string, error: NodeJS.ErrnoException): CommandError {
  return new CommandError(`The file ${file} cannot be read (${error.code ?? error.message}).`, EXIT_FAILED, {
    cause: error,
  })
}
