import { createRequire } from 'node:module'

/**
 * The AWS SDK, loaded when the first client is asked for: it takes longer to load than all else, and an endpoint alone
 * needs none of it. Not by `import()`, because clients are made at once; Node gives both ways the same modules, so its
 * exceptions are those that tests catch.
 */
export function loadSdk(): typeof import('@aws-sdk/client-dynamodb') {
  return createRequire(import.meta.url)('@aws-sdk/client-dynamodb')
}
