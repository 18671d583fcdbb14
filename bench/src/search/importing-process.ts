import { importTable } from './import-table.js'
import { measureImport } from './measure-import.js'

// A process of its own, which Node gives a heap for all the items. It prints the table, and its progress to standard error.

const [contacts, contactsPerSecond] = [Number(process.argv[2]), Number(process.argv[3])]
const measured = (isSharded: boolean) => {
  const onProgress = (text: string) => console.error(`${isSharded ? 'sharded' : 'not sharded'}: ${text}`)
  return measureImport({ contacts, contactsPerSecond, isSharded, onProgress })
}
const plain = await measured(false)
const sharded = await measured(true)
console.log(importTable({ contacts, contactsPerSecond, plain, sharded }))
