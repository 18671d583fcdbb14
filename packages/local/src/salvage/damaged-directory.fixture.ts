import { closeSync, cpSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '../local.js'

/** The number of items in the table `things`. Each is in the index `by-kind`, under one of ten kinds. */
export const ITEMS = 1_000

/** Writes a data directory with a table, its index, and a few items of long keys and large values. */
export async function writeDirectory(directory: string): Promise<void> {
  const local = createLocal({ data: directory, throttle: false })
  const client = local.client()
  await client.send(createTable('things', ['pk:S'], { global: { 'by-kind': ['kind:S'] } }))
  for (let first = 0; first < ITEMS; first += 25) {
    const things = Array.from({ length: 25 }, (_, each) => ({ PutRequest: { Item: thing(first + each) } }))
    await client.send(new BatchWriteItemCommand({ RequestItems: { things } }))
  }
  await local.close()
}

/** Some values do not fit into a page, and some keys not into a row. */
function thing(number: number) {
  return {
    pk: { S: nameOf(number) },
    kind: { S: `kind-${number % 10}` },
    text: { S: `thing ${number} `.repeat(number % 100 === 0 ? 500 : 10) },
  }
}

export function nameOf(number: number): string {
  return `thing-${number}${number % 200 === 1 ? '-'.repeat(2_000) : ''}`
}

/** Copies a data directory, with one bit of its data file flipped. */
export function copyWithFlippedBit(from: string, to: string, byte: number, bit: number): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true })
  const file = openSync(join(to, 'items.mdb'), 'r+')
  const one = Buffer.alloc(1)
  readSync(file, one, 0, 1, byte)
  one.writeUInt8(one.readUInt8(0) ^ (1 << bit))
  writeSync(file, one, 0, 1, byte)
  closeSync(file)
}
