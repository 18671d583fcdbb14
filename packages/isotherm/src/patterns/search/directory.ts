import { invalidOption } from '../../options/check.js'
import { isSharded } from '../../options/given-client.js'
import type { Handler } from '../queue/index.js'
import { type PatternClient, type Sender, toSender } from '../sending/pattern-client.js'
import type { ExpectedTable } from '../table-check/expected-table.js'
import { checkedSender, tableCheck } from '../table-check/table-check.js'
import { type CheckOptions, parseCheck } from './check-options.js'
import { type DirectorySettings, parseSettings } from './directory-settings.js'
import type { DirectoryDefinition } from './model/define-directory.js'
import type { FieldMap, LinkMap } from './model/directory-item.js'
import type { DirectoryTarget } from './model/directory-target.js'
import { requireName } from './model/keys.js'
import { openTenant } from './open-tenant.js'
import { type DirectoryWork, spreadHandler, spreadWork } from './spread-work.js'
import type { TenantDirectory } from './tenant-directory.js'
import { type CheckProgress, checkItems } from './writing/check-items.js'
import { type DirectoryStreamRecord, onStreamRecord } from './writing/on-stream-record.js'

/** A directory of many tenants in one table. */
export interface Directory<Fields extends FieldMap, Links extends LinkMap> {
  /** The directory of one tenant: 1 to 128 bytes, without `#`. @throws IsothermError `options.invalid` */
  tenant(name: string): TenantDirectory<Fields, Links>
  /**
   * Writes the search items of a change, in the mode `stream`. Pass each record of the table's stream, in any order; a record may come twice.
   *
   * @returns whether there was something to do
   * @throws IsothermError `options.invalid`
   */
  onStreamRecord(record: DirectoryStreamRecord): Promise<boolean>
  /**
   * Compares all search items with their items in one scan of the table, and repairs them on request. Changes may continue meanwhile. In
   * the mode `stream`, what the stream has not delivered yet counts as missing.
   *
   * @throws IsothermError `options.invalid` or `options.unknown`
   */
  check(options?: CheckOptions): Promise<CheckProgress>
  /** Carries out the work that follows a rename, as the handler of the queue that was passed as `jobs`. */
  readonly handle: Handler<DirectoryWork>
}

/**
 * A directory, such as of contacts: items that are listed newest first, and found by the beginning or any part of their texts, over one index.
 *
 * `directoryTable` returns the definition of its table. The table is described before the first request, and compared with the definition. If
 * the library shards the index, pass the client that `isotherm` returned.
 *
 * @throws IsothermError `options.invalid` or `options.unknown`; and from each function `table.missing`, `table.differs` or `table.no-index`
 * @example
 * const contacts = directory(new DynamoDBClient({}), definition)
 * const acme = contacts.tenant('acme')
 * await acme.create({ name: '山田 太郎', phone: '03-1234-5678' })
 * const { hits, more } = await acme.search('山田')
 */
export function directory<Fields extends FieldMap, Links extends LinkMap>(
  db: PatternClient,
  definition: DirectoryDefinition<Fields, Links>,
  settings: DirectorySettings = {},
): Directory<Fields, Links> {
  if (!Array.isArray(Object(definition).fields))
    throw invalidOption('directory: the definition', definition, 'what defineDirectory() returned')
  const { jobs, patience } = parseSettings(settings)
  const client = toSender('directory', db)
  const checked = checkedSender(client, tableCheck(client, expectedTable(client, definition), patience.clock))
  const target: DirectoryTarget = { db: checked, definition, patience }
  const work = spreadWork(target, jobs)
  return {
    tenant: (name) => openTenant(target, requireName('directory.tenant', name), work),
    onStreamRecord: (record) => onStreamRecord(target, record),
    check: async (options = {}) => checkItems(target, parseCheck(definition.names, options)),
    handle: spreadHandler(target, jobs),
  }
}

/** The table as `directoryTable` defines it. */
function expectedTable(client: Sender, { table, index, names }: DirectoryDefinition): ExpectedTable {
  return {
    pattern: 'directory',
    table,
    keys: [names.id, names.dataType],
    keyType: 'S',
    index: {
      name: index,
      partitionKey: names.searchType,
      sortKey: names.searchValue,
      sortType: 'S',
      shardedAs: isSharded(client) ? 'any' : 'nothing',
      settings: 'directory.index or directory.names',
      definedBy: 'directoryTable(definition)',
    },
  }
}
