import type { Item } from '@isotherm/semantics'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { Sender } from '../sending/pattern-client.js'
import { describeTable } from '../sending/table-status.js'
import { requireKeyType } from '../values/require-key-type.js'
import type { ParsedLargeOptions } from './large-options.js'

/** The key of a table, by the names of its attributes. */
type KeyTypes = ReadonlyMap<string, string>

/**
 * Compares items with the key of their table before the first piece is written, because the table would refuse the item after the last one.
 * The table is described once. Without the right to do so, the options and the item are believed.
 */
export class TableKey {
  readonly #db: Sender
  readonly #options: ParsedLargeOptions
  #types: KeyTypes | undefined

  constructor(db: Sender, options: ParsedLargeOptions) {
    this.#db = db
    this.#options = options
  }

  /**
   * @param item with all attributes of the key that the options name
   * @throws IsothermError `table.missing`, `table.differs` or `pattern.value`
   */
  async require(item: Item): Promise<void> {
    this.#types ??= await this.#read()
    for (const [attribute, type] of this.#types) {
      const value = item[attribute]
      if (value !== undefined) requireKeyType(`large: the key ${attribute}`, value, type, this.#options.table)
    }
  }

  async #read(): Promise<KeyTypes> {
    const { table, keys } = this.#options
    const described = await describeTable(this.#db, table).catch(() => 'unreadable' as const)
    if (described === 'unreadable') return new Map()
    if (described === undefined) throw missing(table)
    const { KeySchema = [], AttributeDefinitions = [] } = described
    for (const [at, setting] of (['partitionKey', 'sortKey'] as const).entries()) {
      const found = KeySchema[at]?.AttributeName
      if (KeySchema.length > 0 && found !== keys[at]) throw differs(table, setting, found, keys[at])
    }
    return new Map(
      AttributeDefinitions.flatMap(({ AttributeName = '', AttributeType = '' }) =>
        keys.includes(AttributeName) ? [[AttributeName, AttributeType]] : [],
      ),
    )
  }
}

function missing(table: string): IsothermError<'table.missing'> {
  return new IsothermError(
    'table.missing',
    `The table ${table} does not exist in this region and account. Create it, or correct large.table. Nothing was written.`,
    { table },
  )
}

function differs(
  table: string,
  setting: 'partitionKey' | 'sortKey',
  found: string | undefined,
  given: string | undefined,
): IsothermError<'table.differs'> {
  const cure = found === undefined ? `Leave large.${setting} out.` : `Set large.${setting}: '${found}'.`
  const key = setting === 'partitionKey' ? 'partition key' : 'sort key'
  return new IsothermError(
    'table.differs',
    `The ${key} of ${table} is ${found ?? 'not set'}, and large has ${given ?? 'none'}. ${cure} Nothing was written.`,
    { table, setting, found, given },
  )
}
