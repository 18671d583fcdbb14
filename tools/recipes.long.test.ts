import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
// Outside the project, so that no runner finds its settings; packages resolve as they do for users.
const folder = mkdtempSync(join(tmpdir(), 'isotherm-recipes-'))
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The guide's recipes as files, each in a folder named after its runner. */
function writeRecipes(): readonly string[] {
  const guide = readFileSync(join(root, 'docs/testing.md'), 'utf8')
  const found = [...guide.matchAll(/^<!-- recipe: (\S+) -->\n\n```\w+\n(.*?)^```$/gms)]
  return found.map(([, path = '', code = '']) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), code)
    return path
  })
}

const recipes = writeRecipes()
const require = createRequire(import.meta.url)
const vitest = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs')
const jest = join(root, 'comparisons/node_modules/jest/bin/jest.js')

/** How each runner is started, and its output for tests that passed. */
const runners = [
  { name: 'vitest', args: [vitest, 'run', '--root', '.'], passed: /Tests +6 passed/, manifest: undefined },
  { name: 'node-test', args: ['--test'], passed: /^# pass 3$/m, manifest: undefined },
  {
    name: 'jest',
    args: ['--experimental-vm-modules', jest],
    passed: /Tests: +2 passed/,
    manifest: { type: 'module', jest: { transform: {} } },
  },
  {
    name: 'jest-commonjs',
    args: [jest],
    passed: /Tests: +1 passed/,
    manifest: { jest: { globalSetup: './engine.js', globalTeardown: './close-engine.js' } },
  },
] as const

writeFileSync(join(folder, 'package.json'), '{"type":"module"}')

it('has recipes for every runner and no other', () => {
  const named = new Set(recipes.map((path) => dirname(path)))
  expect([...named].sort()).toEqual(runners.map(({ name }) => name).sort())
})

it.for(runners)('the recipes for $name pass as they stand', ({ name, args, passed, manifest }, { skip }) => {
  skip(
    manifest !== undefined && !existsSync(jest),
    'Jest is not installed here. Install it with: npm run comparisons',
  )
  if (manifest !== undefined) writeFileSync(join(folder, name, 'package.json'), JSON.stringify(manifest))
  // A runner that is started by another one must not use the other's settings.
  const { VITEST: _, NODE_TEST_CONTEXT: __, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: join(folder, name),
    encoding: 'utf8',
    env: { ...env, NO_COLOR: '1' },
  })
  const said = stdout + stderr
  expect(said).toMatch(passed)
  expect(status, said).toBe(0)
})
