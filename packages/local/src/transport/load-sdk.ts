import { createRequire } from 'node:module'

/**
 * Loads the AWS SDK when the first client is created. It takes longer to load than everything else, and an endpoint
 * alone does not need it. `import()` is not possible, because clients are created synchronously. Both ways return the
 * same modules in Node, so exceptions are instances of the classes that tests import.
 */
export function loadSdk(): typeof import('@aws-sdk/client-dynamodb') {
  return createRequire(import.meta.url)('@aws-sdk/client-dynamodb')
}
