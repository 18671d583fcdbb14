import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeDirectory } from './make-directory.js'

const OWNER_ONLY = 0o700

it('creates what is missing, for its owner only, and leaves what is there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-directory-'))
  const path = join(folder, 'one', 'two')
  for (let times = 0; times < 2; times++) makeDirectory(path, OWNER_ONLY)
  for (const each of [path, join(folder, 'one')]) expect(statSync(each).mode & 0o777).toBe(OWNER_ONLY)
  rmSync(folder, { recursive: true })
})

it.skipIf(process.platform !== 'linux')('fails where no directory can be created, and returns', () => {
  // In a process of its own, because a call that does not return cannot be ended from within.
  const built = new URL('../../../dist/storage/lmdb/make-directory.js', import.meta.url).href
  const script = `import { makeDirectory } from '${built}'
    try { makeDirectory('/proc/isotherm/data', ${OWNER_ONLY}) } catch ({ code }) { console.log(code) }`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  })
  expect(stdout).toBe('ENOENT\n')
})
