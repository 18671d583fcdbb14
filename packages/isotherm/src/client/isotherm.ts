import { EVERYTHING } from './everything.js'
import type { IsothermMethods } from './isotherm-methods.js'
import type { IsothermOptions } from './options.js'
import { parseOptions } from './parse-options.js'
import { type SdkClient, shardedClient } from './sharded-client.js'

/**
 * Returns a client like the one passed in, that shards the tables in the options.
 *
 * The result has the same class, and the same `config`. The client that was passed in is not changed. You send stock
 * commands and get stock results, with logical keys. Requests for tables that are not in the options, and commands that
 * do not read or write items, are sent unchanged. Commands that cannot be rewritten onto shards, such as PartiQL, are
 * rejected.
 *
 * A document client made from the result is sharded, too. Better wrap the document client: the SDK does not pass options
 * of single requests, such as an `abortSignal`, from a document client to the client below it. A client that is sharded
 * already is rejected.
 *
 * `heat()` lists the hottest keys, `explain(command)` lists the requests that would be sent, and `shards()` controls
 * the shard count of a key manually. `destroy()` stops background work and destroys the client that was passed in.
 *
 * All commands are supported, so a bundle contains the whole library. For smaller bundles, `isotherm/core` builds the
 * same client from parts.
 *
 * @param client a `DynamoDBClient` or a `DynamoDBDocumentClient`
 * @throws IsothermError `options.unknown` or `options.invalid`, which name the option
 * @example
 * const db = isotherm(DynamoDBDocumentClient.from(new DynamoDBClient({})), {
 *   tables: {
 *     audit_log: {
 *       partitionKey: 'file_path',
 *       sortKey: 'accessed_at',
 *       suffix: 'random',
 *       shards: dynamicShards({ initial: 1, max: 200 }),
 *     },
 *   },
 * })
 * await db.send(new PutCommand({ TableName: 'audit_log', Item: { file_path: '/a', accessed_at: 1 } }))
 */
export function isotherm<Client extends SdkClient>(
  client: Client,
  options: IsothermOptions,
): Client & IsothermMethods {
  return shardedClient(client, () => ({ parts: EVERYTHING, options: parseOptions(options, EVERYTHING) }))
}
