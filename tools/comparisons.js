// Installs what only comparisons need (object mappers, DynamoDB Local, Jest, ...) into comparisons/node_modules.
//
//   npm run comparisons
import { fileURLToPath } from 'node:url'
import { install, isInstalled } from './installed-folder.js'

const folder = fileURLToPath(new URL('../comparisons', import.meta.url))

/**
 * The AWS SDK of the mappers is removed again, so that they find the project's own: an application has one copy of it, and
 * a client of one copy is no client of another's types.
 */
const SHARED = ['@aws-sdk', '@smithy']

/** Whether everything is there as the lock file has it now. */
export function comparisonsAreInstalled() {
  return isInstalled(folder)
}

/** @returns whether it is installed now */
export function installComparisons() {
  return install(folder, { shared: SHARED })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(installComparisons() ? 0 : 1)
