import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const printed = execFileSync(process.execPath, ['tools/lint-pages.js', '--print'], {
  cwd: root,
  encoding: 'utf8',
})
const pages: { readonly [path: string]: string } = JSON.parse(printed)

it('every rule of isotherm lint has a page that says what the rule says; `npm run lint-pages` writes them', () => {
  for (const [path, text] of Object.entries(pages)) expect(readFileSync(`${root}/${path}`, 'utf8')).toBe(text)
})

it('there is no page of a rule that does not exist', () => {
  const files = readdirSync(`${root}/docs/lint`).map((file) => `docs/lint/${file}`)
  expect(files.filter((file) => !(file in pages))).toEqual([])
})
