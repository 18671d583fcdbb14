import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'isotherm-suite-'))
afterAll(() => rmSync(folder, { recursive: true }))

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(root, 'tools/conformance.js'), ...args], { encoding: 'utf8' })

it('runs a suite against the engine, and prints what passed by folder', () => {
  const suite = join(folder, 'suite')
  mkdirSync(join(suite, 'tests', 'tables'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(suite, 'node_modules'))
  writeFileSync(
    join(suite, 'package.json'),
    JSON.stringify({ name: 'a-suite', version: '1.2.3', type: 'module' }),
  )
  writeFileSync(
    join(suite, 'tests', 'tables', 'list.test.js'),
    `import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { expect, it } from 'vitest'
const client = new DynamoDBClient({ endpoint: process.env.ENDPOINT_OF_THE_SUITE })
it('lists no tables', async () => expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual([]))
it('expects something wrong', () => expect(1).toBe(2))
it.skip('is left out', () => {})
`,
  )
  const { stdout, status } = run('--suite', suite, '--variable', 'ENDPOINT_OF_THE_SUITE')
  expect(status).toBe(0)
  expect(stdout).toContain('failed: tests/tables/list.test.js: expects something wrong')
  expect(stdout).toContain('a-suite, version 1.2.3, against the local engine')
  expect(stdout).toContain('| tests/tables | 1 | 1 | 1 |')
})

it('names what is missing', () => {
  expect(run().stderr).toContain('--suite DIR is missing')
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  expect(run('--suite', empty).stderr).toContain('has no package.json')
  writeFileSync(join(empty, 'package.json'), '{}')
  expect(run('--suite', empty).stderr).toContain('fetches nothing')
})
