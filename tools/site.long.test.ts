import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { runCommand } from './run-command.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'isotherm-site-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('the site is built from the pages and the types as they are, and none of its links leads nowhere', async () => {
  const args = ['tools/site.js', 'build', '--outDir', folder]
  const { code, stdout, stderr } = await runCommand(process.execPath, args, { cwd: root })
  expect({ code, said: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, said: '' })
  const pages = ['index', 'sharding', 'errors', 'security', 'reference/index']
  expect(pages.filter((page) => !existsSync(join(folder, `${page}.html`)))).toEqual([])
}, 900_000)
