import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

it('refuses a directory that is none, and --salvage alone', async () => {
  const { code, err } = await isotherm('local', '--verify', folder)
  expect(code).not.toBe(0)
  expect(err).toContain("is no data directory of Isotherm's")
  expect((await isotherm('local', '--salvage', 'saved')).err).toContain('--salvage needs --verify')
})
