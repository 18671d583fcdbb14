import { keyText, type LogicalKey } from '../keys/key.js'
import type { CountedTable, ShardView } from '../protocol/index.js'

type View = ShardView | Promise<ShardView>

/**
 * The views of the shard map for one request. Each logical key is looked up once, however many of its items the request
 * has.
 */
export class KeyViews {
  readonly #read: (table: CountedTable, key: LogicalKey) => View
  readonly #known = new Map<string, View>()

  constructor(read: (table: CountedTable, key: LogicalKey) => View) {
    this.#read = read
  }

  of(table: CountedTable, key: LogicalKey): View {
    const name = `${table.options.name}/${keyText(key)}`
    const view = this.#known.get(name) ?? this.#read(table, key)
    this.#known.set(name, view)
    return view
  }
}
