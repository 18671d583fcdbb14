import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { type ContactBook, contactBook, createTables } from './contact-book.js'
import { contactsServer } from './contacts-server.js'

const USAGE = `node examples/dist/contacts/contacts-command.js COMMAND [--endpoint URL] [--tenant NAME]

  create-tables    creates the tables of the contacts and of their jobs
  category ID NAME names a category, or renames it
  import FILE      imports JSON Lines: { "id": "c1", "fields": { "name": "Ann" }, "links": { "category": ["friends"] } }
  check [--repair] compares the index with the contacts, and puts right what is wrong
  serve            serves the page on http://127.0.0.1:8080/, and follows renames of categories

  --skip  rows that an import leaves out: those that it said were done`

/**
 * Runs a command of the application.
 *
 * @param print takes the result
 * @param progress takes a line that replaces the one before
 */
export async function contactsCommand(
  args: readonly string[],
  print: (text: string) => void,
  progress: (text: string) => void,
): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      endpoint: { type: 'string' },
      tenant: { type: 'string', default: 'demo' },
      skip: { type: 'string', default: '0' },
      repair: { type: 'boolean', default: false },
    },
  })
  const [command, file, name] = positionals
  const db = new DynamoDBClient(values.endpoint === undefined ? {} : { endpoint: values.endpoint })
  const book = contactBook(db)
  if (command === 'create-tables') await createTables(db)
  else if (command === 'category' && file !== undefined && name !== undefined) {
    await book.tenant(values.tenant).setTarget('category', file, name)
    print(`${file} is named ${name}. Contacts follow while the application is served.`)
  } else if (command === 'import' && file !== undefined) {
    const skip = Number(values.skip)
    print(await importFile(book, values.tenant, { file, skip }, progress))
  } else if (command === 'check') print(await check(book, values.repair, progress))
  else if (command === 'serve') {
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    const server = contactsServer(book, values.tenant).listen(8080, '127.0.0.1')
    print('http://127.0.0.1:8080/')
    await book.work(stop.signal)
    server.close()
  } else print(USAGE)
  db.destroy()
}

/** It may end at any moment: what it shows is what `--skip` takes, and the same file again changes nothing. */
async function importFile(
  book: ContactBook,
  tenant: string,
  { file, skip }: { readonly file: string; readonly skip: number },
  progress: (text: string) => void,
): Promise<string> {
  const total = await lineCount(file)
  const done = await book.tenant(tenant).import(rowsOf(file), {
    skip,
    onProgress: ({ rows, created, changed }) =>
      progress(`${bar(rows / total)} ${rows} of ${total} rows, ${created} created, ${changed} changed`),
  })
  return `${done.rows} rows: ${done.created} created, ${done.changed} changed, ${done.unchanged} unchanged`
}

async function* rowsOf(file: string) {
  for await (const line of createInterface({ input: createReadStream(file) })) yield JSON.parse(line)
}

async function lineCount(file: string): Promise<number> {
  let lines = 0
  for await (const _line of createInterface({ input: createReadStream(file) })) lines += 1
  return lines
}

async function check(book: ContactBook, repair: boolean, progress: (text: string) => void): Promise<string> {
  const { compared, missing, extra, outdated, repaired } = await book.check({
    repair,
    onProgress: (seen) => progress(`${seen.scanned} items read, ${seen.compared} contacts compared`),
  })
  return `${compared} contacts: ${missing} search items missing, ${extra} too many, ${outdated} old names; ${repaired} contacts repaired`
}

const WIDTH = 30

function bar(share: number): string {
  const full = Math.round(WIDTH * Math.min(1, share))
  return `[${'#'.repeat(full)}${' '.repeat(WIDTH - full)}]`
}

if (import.meta.url === `file://${process.argv[1]}`)
  await contactsCommand(process.argv.slice(2), console.log, (text) => process.stderr.write(`\r${text}`))
