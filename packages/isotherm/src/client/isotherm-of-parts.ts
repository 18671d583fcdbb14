import { invalidOption, requireObject } from '../options/check.js'
import type { IsothermMethods } from './isotherm-methods.js'
import { mergedParts } from './merged-parts.js'
import type { IsothermOptions } from './options.js'
import { parseOptions } from './parse-options.js'
import type { Part } from './part.js'
import { type SdkClient, shardedClient } from './sharded-client.js'

/** What `isotherm` of `isotherm/core` takes besides the client. */
export interface CoreOptions extends IsothermOptions {
  /** What the client is made of, such as `[appends, queries]`, in any order. What is not named is refused by name. */
  readonly parts: readonly Part[]
}

/**
 * The client that `isotherm` of the entry `isotherm` makes, of the named parts only, so that a bundler leaves the others out:
 * for AWS Lambda and wherever a bundle has to be small.
 *
 * What is in works as it does there, beside processes with other parts. What is not is refused before anything is
 * sent: a command on a sharded table, an option or a method whose part was not named. Tables that are not in the options
 * pass through untouched. Counts of `dynamicShards` grow with any parts; they fall where some process of the fleet has
 * `rebalancing`.
 *
 * @param client a `DynamoDBClient` or a `DynamoDBDocumentClient`
 * @throws IsothermError `options.unknown` or `options.invalid`, naming the option; `part.missing`, naming the part
 * @example
 * const db = isotherm(DynamoDBDocumentClient.from(new DynamoDBClient({})), {
 *   parts: [appends, queries],
 *   tables: {
 *     audit_log: { partitionKey: 'file_path', sortKey: 'accessed_at', suffix: 'random', shards: dynamicShards() },
 *   },
 * })
 */
export function isotherm<Client extends SdkClient>(
  client: Client,
  options: CoreOptions,
): Client & IsothermMethods {
  return shardedClient(client, () => {
    const { parts: named, ...others } = requireObject(
      'options',
      options,
      'an object with parts and tables',
    ) as CoreOptions
    const parts = mergedParts(checkedParts(named))
    return { parts, options: parseOptions(others, parts) }
  })
}

function checkedParts(parts: unknown): readonly Part[] {
  if (Array.isArray(parts) && parts.length > 0 && parts.every(isPart)) return parts
  throw invalidOption('options.parts', parts, 'a list of parts of isotherm/core, such as [appends, queries]')
}

function isPart(part: unknown): part is Part {
  return 'name' in Object(part)
}
