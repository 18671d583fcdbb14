import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { install } from './installed-folder.js'

const site = fileURLToPath(new URL('../site', import.meta.url))

it('every type of a public signature is exported, and every export is documented', () => {
  expect(install(site)).toBe(true)
  const { status, stdout, stderr } = spawnSync(process.execPath, ['public-types.js'], {
    cwd: site,
    encoding: 'utf8',
  })
  expect({ status, said: `${stdout}${stderr}` }).toEqual({ status: 0, said: '' })
}, 300_000)
