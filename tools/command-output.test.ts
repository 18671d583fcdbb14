import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

it('the guides show what the commands print; `npm run command-output` writes it', () => {
  const printed = execFileSync(process.execPath, ['tools/command-output.js', '--print'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const guides = Object.entries<string>(JSON.parse(printed))
  expect(guides.length).toBeGreaterThan(0)
  for (const [path, text] of guides) expect(readFileSync(`${root}/${path}`, 'utf8')).toBe(text)
})
