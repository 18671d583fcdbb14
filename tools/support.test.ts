import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

it('docs/support.md tells what the engine answers and refuses; `npm run support` writes it', () => {
  const printed = execFileSync(process.execPath, ['tools/support.js', '--print'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(readFileSync(`${root}/docs/support.md`, 'utf8')).toBe(printed)
})
