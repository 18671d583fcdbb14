import { EVERYTHING } from './everything.js'
import type { IsothermMethods } from './isotherm-methods.js'
import type { IsothermOptions } from './options.js'
import { parseOptions } from './parse-options.js'
import { type SdkClient, shardedClient } from './sharded-client.js'

/**
 * A client like the one given, whose commands on the named tables are sharded.
 *
 * The result is of the same class, with the same `config` and `middlewareStack`; the client that was given is not
 * changed. Stock commands go in and stock results come out, with logical keys, in the values of the command that
 * was sent. Tables that are not named, and commands that do not read or write items, pass through untouched. What cannot
 * be rewritten onto shards, such as PartiQL, is refused, never sent half-right. Wrap the outermost client: a document
 * client made from the result would not be sharded.
 *
 * Every command can be sent, so all of the library is in a bundle; `isotherm/core` has the same client made of parts.
 *
 * `heat()` tells the hottest keys, `explain(command)` what would be sent, and `shards()` changes the count of a key by
 * hand. `destroy()` ends what runs in the background and destroys the client that was given.
 *
 * @param client a `DynamoDBClient` or a `DynamoDBDocumentClient`
 * @throws IsothermError `options.unknown` or `options.invalid`, naming the option
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
