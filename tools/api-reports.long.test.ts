import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { install } from './installed-folder.js'

const api = fileURLToPath(new URL('../api', import.meta.url))
const fresh = mkdtempSync(join(tmpdir(), 'isotherm-api-reports-'))
afterAll(() => rmSync(fresh, { recursive: true }))

it('the reports in api/ list what the entries export: npm run api-reports writes them', () => {
  expect(install(api)).toBe(true)
  const { status, stderr } = spawnSync(process.execPath, ['api-reports.js', fresh], {
    cwd: api,
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(reportsOf(api)).toEqual(reportsOf(fresh))
}, 300_000)

function reportsOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.api.md'))
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}
