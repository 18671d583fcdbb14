import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Ended, runCommand } from './run-command.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'isotherm-site-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** How the build of the site ended. It begins with `site/public-types.js`. */
let build: Ended
beforeAll(async () => {
  build = await runCommand(process.execPath, ['tools/site.js', 'build', '--outDir', folder], { cwd: root })
}, 900_000)

it('every type of a public signature is exported, and every export is documented', () => {
  const { stdout, stderr } = build
  expect(stderr.includes('public-types.js ended with code') ? stdout + stderr : '').toBe('')
})

it('the site is built from the pages and the types as they are, and none of its links leads nowhere', () => {
  const { code, stdout, stderr } = build
  expect({ code, said: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, said: '' })
  const pages = ['index', 'sharding', 'errors', 'security', 'reference/index']
  expect(pages.filter((page) => !existsSync(join(folder, `${page}.html`)))).toEqual([])
})
