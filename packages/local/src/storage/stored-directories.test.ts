import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { SystemClock } from '@isotherm/runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clockFrom, contentsOf, OPENED_AT } from '../../format/contents.js'
import { createLocal, type Local } from '../local.js'
import { verifyDirectory } from '../salvage/verify-directory.js'
import { FORMAT_VERSION } from './lmdb/stamp.js'

const FORMAT = fileURLToPath(new URL('../../format', import.meta.url))
const versions = readdirSync(FORMAT)
  .flatMap((name) => /^version-(\d+)$/.exec(name)?.[1] ?? [])
  .map(Number)
  .sort((a, b) => a - b)

interface Described {
  readonly description: { readonly AttributeDefinitions: readonly { readonly AttributeName: string }[] }
}

/** The builds of some versions described attributes in the order in which they were defined. */
function withSortedDefinitions(tables: Readonly<Record<string, Described>>): Record<string, Described> {
  return Object.fromEntries(
    Object.entries(tables).map(([name, { description, ...rest }]) => {
      const AttributeDefinitions = description.AttributeDefinitions.toSorted((one, other) =>
        one.AttributeName < other.AttributeName ? -1 : 1,
      )
      return [name, { ...rest, description: { ...description, AttributeDefinitions } }]
    }),
  )
}

it('there is a stored data directory of each version of the format', () => {
  expect(versions).toEqual(Array.from({ length: FORMAT_VERSION }, (_, index) => index + 1))
})

describe.each(versions)('a data directory that a build of format version %i has written', (version) => {
  const stored = join(FORMAT, `version-${version}`)
  const unpacked = (name: string) => gunzipSync(readFileSync(join(stored, `${name}.gz`)))
  const expected = withSortedDefinitions(JSON.parse(unpacked('contents.json').toString()))
  let directory = ''

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'isotherm-stored-'))
    writeFileSync(join(directory, 'isotherm.json'), readFileSync(join(stored, 'isotherm.json')))
    writeFileSync(join(directory, 'items.mdb'), unpacked('items.mdb'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  async function opened<T>(use: (local: Local) => Promise<T>): Promise<T> {
    const local = createLocal({ data: directory, clock: clockFrom(new SystemClock(), OPENED_AT) })
    try {
      return await use(local)
    } finally {
      await local.close()
    }
  }
  const contents = (local: Local) =>
    contentsOf(local.client(), new DynamoDBStreamsClient({ ...local.connection() }))

  it('is opened with its tables, items, indexes, tags, times to live and stream records', async () => {
    expect(Object.keys(expected)).toEqual(['orders', 'values'])
    expect(await opened(contents)).toMatchObject(expected)
  })

  it('is complete again after it was written and opened once more', async () => {
    const TableName = 'values'
    const Key = { id: { B: new Uint8Array([9]) }, at: { N: '1' } }
    await opened(async (local) => {
      await local.client().send(new PutItemCommand({ TableName, Item: Key }))
    })
    await opened((local) => local.client().send(new DeleteItemCommand({ TableName, Key })))
    expect(await opened(contents)).toMatchObject(expected)
  })

  it('has no damage', async () => {
    await opened(async () => {})
    expect(await verifyDirectory(directory)).toMatchObject({ damagedParts: 0 })
  })
})
