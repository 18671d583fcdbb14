import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { afterAll, expect, it } from 'vitest'
import { isotherm } from '../isotherm.fixture.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-verify-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('reports that a data directory is intact, and writes it to a new one', async () => {
  const data = join(folder, 'data')
  const local = createLocal({ data })
  await local.client().send(createTable('orders', ['id']))
  await local.close()

  const { code, out, err } = await isotherm('local', '--verify', data)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain(`The data directory ${data} is intact.`)

  const json = await isotherm('local', '--verify', data, '--json')
  expect(JSON.parse(json.out)).toMatchObject({ directory: data, damagedParts: 0 })

  const saved = await isotherm('local', '--verify', data, '--salvage', join(folder, 'saved'))
  expect(saved.code).toBe(0)
  expect(saved.out).toContain(`What is intact was written to ${join(folder, 'saved')}.`)
  expect((await isotherm('local', '--verify', join(folder, 'saved'))).code).toBe(0)
})

it('exits with 1 for a damaged data directory, names what is damaged, and saves the rest', async () => {
  const data = join(folder, 'damaged')
  const local = createLocal({ data })
  const client = local.client()
  await client.send(createTable('orders', ['id']))
  const note = 'n'.repeat(200)
  for (let id = 0; id < 50; id++) {
    await client.send(
      new PutItemCommand({ TableName: 'orders', Item: { id: { S: `${id}` }, note: { S: note } } }),
    )
  }
  await local.close()
  const file = join(data, 'items.mdb')
  const bytes = readFileSync(file)
  const at = bytes.indexOf(note)
  bytes[at] = 0x6d
  // The database keeps two versions of a page, and both may have it.
  for (let next = bytes.indexOf(note); next >= 0; next = bytes.indexOf(note, next + 1000)) bytes[next] = 0x6d
  writeFileSync(file, bytes)

  const { code, out, err } = await isotherm('local', '--verify', data)
  expect(code).toBe(1)
  expect(out).toMatch(/^Table orders \(us-east-1\): \d+ of 50 items intact$/m)
  expect(out).toContain('a row of us-east-1/orders does not match its checksum')
  expect(err).toContain('Add --salvage NEW')
  const json = await isotherm('local', '--verify', data, '--json')
  expect(json.code).toBe(1)
  expect(JSON.parse(json.out).damagedParts).toBeGreaterThan(0)

  const rest = join(folder, 'rest')
  expect((await isotherm('local', '--verify', data, '--salvage', rest)).code).toBe(0)
  expect((await isotherm('local', '--verify', rest)).code).toBe(0)
})

it('refuses a directory that is none, and --salvage alone', async () => {
  const { code, err } = await isotherm('local', '--verify', folder)
  expect(code).not.toBe(0)
  expect(err).toContain("is no data directory of Isotherm's")
  expect((await isotherm('local', '--salvage', 'saved')).err).toContain('--salvage needs --verify')
})
