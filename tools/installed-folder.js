// A folder with dependencies of its own, which git ignores: `npm ci` of the project itself stays small. Versions and checksums
// come from the folder's package-lock.json.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// No scripts: all that is compiled comes as prebuilt packages. Some packages ask for a newer Node than they need, which npm would warn of.
const ARGS = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']

/** Whether everything is there as the lock file has it now. */
export function isInstalled(folder) {
  const stamp = stampOf(folder)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === checksumOf(folder)
}

/**
 * @param options.args more arguments for `npm ci`
 * @param options.shared packages or scopes that are removed again, so that the project's own are found
 * @returns whether it is installed now
 */
export function install(folder, { args = [], shared = [] } = {}) {
  if (isInstalled(folder)) return true
  const { status } = spawnSync('npm', [...ARGS, ...args], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) return false
  for (const name of shared) rmSync(join(folder, 'node_modules', name), { recursive: true, force: true })
  writeFileSync(stampOf(folder), checksumOf(folder))
  return true
}

function stampOf(folder) {
  return join(folder, 'node_modules/.lock-file')
}

function checksumOf(folder) {
  return createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
}
