import { invalidOption, requireObject } from '../options/check.js'
import type { IsothermMethods } from './isotherm-methods.js'
import { mergedParts } from './merged-parts.js'
import type { IsothermOptions } from './options.js'
import { parseOptions } from './parse-options.js'
import type { Part } from './part.js'
import { type SdkClient, shardedClient } from './sharded-client.js'

/** Options of `isotherm` from `isotherm/core`. */
export interface CoreOptions extends IsothermOptions {
  /** The parts of the client, such as `[appends, queries]`, in any order. Operations of other parts are rejected. */
  readonly parts: readonly Part[]
}

/**
 * Creates the same client as `isotherm` from the entry `isotherm`, but with the given parts only, so that a bundler can
 * remove the others. Use it for AWS Lambda, and wherever a bundle has to be small.
 *
 * The parts work as they do there, also together with processes that use other parts. A command on a sharded table, an
 * option, or a method whose part is missing is rejected before anything is sent. Requests for tables that are not in
 * the options are sent unchanged. Shard counts of `dynamicShards` grow with any parts. They decrease only if some
 * process of the fleet has `rebalancing`.
 *
 * @param client a `DynamoDBClient` or a `DynamoDBDocumentClient`
 * @throws IsothermError `options.unknown` or `options.invalid`, which name the option; `part.missing`, which names the
 * part
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
