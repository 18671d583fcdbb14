import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { isotherm } from '../isotherm.fixture.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-'))
const config = join(folder, 'isotherm.yaml')
writeFileSync(config, 'tables:\n  log: { partitionKey: pk, suffix: random, shards: { fixed: 4 } }\n')
afterEach(() => {
  vi.unstubAllEnvs()
})
afterAll(() => rmSync(folder, { recursive: true }))

it.each([[[]], [['--console']]])('a proxy %j whose region nothing names does not start', async (flags) => {
  // No profile of this machine may name one.
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, '/dev/null')
  vi.stubEnv('AWS_REGION', undefined)
  const proxy = ['proxy', '--config', config, '--port', '0', ...flags]
  expect(await isotherm(...proxy)).toEqual({
    code: 2,
    out: '',
    err: 'isotherm: The region of Amazon DynamoDB is missing. Name it with --region, as region in the configuration, or in AWS_REGION.\n',
  })
  // Another machine may have it in its environment.
  expect(await isotherm('proxy', '--config', config, '--check')).toMatchObject({ code: 0, err: '' })
})
