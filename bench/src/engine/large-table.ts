import { totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { PageSection } from '../page-section.js'
import { whole } from './engine-figures.js'
import { thisMachine } from './engine-record.js'
import { machineNotes } from './engine-tables.js'
import { figureTable } from './figures/measure-figure.js'
import { largeTable as measured } from './figures/recovery.js'

const USAGE = `npm run bench -- large-table [--items 10000000] [--write FILE]

Writes a data directory of many items of 1 KB into the system's folder for temporary files, and compares gets and puts with those of a small table.
Then the process is killed, and the directory is opened again. Ten million items take 21 GB and up to three quarters of an hour.

  --items  how many (default 10000000)
  --write  the page that gets the table`

const MARKS = {
  begin: '<!-- large-table: npm run bench -- large-table --write docs/speed.md -->',
  end: '<!-- /large-table -->',
}

const GIBIBYTE = 1_024 ** 3

/** Runs the benchmark `large-table`. */
export async function largeTable(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      items: { type: 'string', default: '10000000' },
      write: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const items = Number(values.items)
  if (!Number.isSafeInteger(items) || items < 1)
    throw new Error(`--items is '${values.items}'. It is a whole number from 1 up.`)
  const page = values.write === undefined ? undefined : new PageSection(values.write, MARKS)
  const machine = thisMachine()
  const memory = `The machine has ${(totalmem() / GIBIBYTE).toFixed(0)} GB of memory.`
  const text = `**A durable table of ${whole(items)} items**\n\n${figureTable(await measured(items))}\n\n${machineNotes(machine)} ${memory}`
  console.log(text)
  page?.write(text)
}
