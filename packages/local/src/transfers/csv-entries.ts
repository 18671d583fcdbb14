import { Readable } from 'node:stream'
import type { CsvError } from 'csv-parse'
import type { ImportFormat } from '../catalog/import-state.js'
import type { KeyAttribute, TableDefinition } from '../table/table-definition.js'
import { type ImportEntry, UnreadableObject } from './import-entry.js'

/** As for lines of JSON: no longer row has an item that a table could hold. */
const MAX_ROW_BYTES = 16 * 1024 * 1024

/** Rows given at once. */
const ROWS_AT_ONCE = 256

/** Rows that cannot be read whose errors are kept. The import reports fewer, and an object can have millions of them. */
const MAX_DESCRIBED = 100
const ANOTHER_BAD_ROW: ImportEntry = { line: 0, item: undefined, error: 'The row cannot be read' }

/** A row, and where it ends. */
interface Row {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

/**
 * The items of an object in CSV. Key attributes of the table and its indexes have the types of their definition, and all
 * others are strings.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataImport.Format.html
 */
export async function* csvEntries(
  pieces: AsyncIterable<Buffer>,
  { delimiter = ',', header }: Extract<ImportFormat, { type: 'CSV' }>,
  definition: TableDefinition,
): AsyncGenerator<readonly ImportEntry[]> {
  // Loaded on demand, because few engines ever need it.
  const { parse } = await import('csv-parse')
  const skipped: ImportEntry[] = []
  let others = 0
  const rows = parse({
    delimiter,
    bom: true,
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
    skip_records_with_error: true,
    max_record_size: MAX_ROW_BYTES,
  })
  rows.on('skip', (error: CsvError) => {
    if (skipped.length < MAX_DESCRIBED) skipped.push(badRow(error))
    else others++
  })
  const source = Readable.from(pieces)
  // An error of the object ends the rows with it.
  source.once('error', (error) => rows.destroy(error))
  source.pipe(rows)
  const types = keyTypes(definition)
  let names = header
  let last = 0
  let entries: ImportEntry[] = []
  try {
    for await (const { record, info } of rows as AsyncIterable<Row>) {
      const line = last + 1
      last = info.lines
      if (names === undefined) names = checkedNames(record)
      else entries.push(entryOf(record, names, types, line))
      if (entries.length < ROWS_AT_ONCE) continue
      yield entries
      entries = []
    }
    yield [...entries, ...skipped]
    for (; others > 0; others -= ROWS_AT_ONCE) {
      yield Array.from({ length: Math.min(others, ROWS_AT_ONCE) }, () => ANOTHER_BAD_ROW)
    }
  } catch (error) {
    if (!String(Object(error).code).startsWith('CSV_')) throw error
    throw new UnreadableObject(`The object is not CSV: ${String(Object(error).message)}`)
  } finally {
    source.destroy()
  }
}

function badRow({ message, ...error }: CsvError): ImportEntry {
  const lines: unknown = Object(error).lines
  return { line: typeof lines === 'number' ? lines : 0, item: undefined, error: message }
}

/** @throws UnreadableObject when the first line of an object cannot be the names of attributes */
function checkedNames(names: readonly string[]): readonly string[] {
  if (names.includes('')) throw new UnreadableObject('The first line has a column without a name')
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) {
    throw new UnreadableObject(`The first line has two columns '${twice}'. Give each column its own name`)
  }
  return names
}

function entryOf(
  row: readonly string[],
  names: readonly string[],
  types: ReadonlyMap<string, KeyAttribute['type']>,
  line: number,
): ImportEntry {
  if (row.length !== names.length) {
    const error = `The row has ${row.length} columns, and the header has ${names.length}`
    return { line, item: undefined, error }
  }
  const cells = row.map((cell, at): [string, object] => {
    const name = names[at] ?? ''
    return [name, { [types.get(name) ?? 'S']: cell }]
  })
  return { line, item: Object.fromEntries(cells), error: undefined }
}

function keyTypes({ schema, indexes }: TableDefinition): ReadonlyMap<string, KeyAttribute['type']> {
  const schemas = [schema, ...indexes.map((index) => index.schema)]
  return new Map(
    schemas.flatMap(({ hash, range }) =>
      [...hash, ...range].map(({ name, type }): [string, typeof type] => [name, type]),
    ),
  )
}
