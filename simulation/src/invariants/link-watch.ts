import type { ExecutedRequest } from '../world/network.js'
import { Violation } from '../world/violation.js'
import type { World } from '../world/world.js'

interface Attribute {
  readonly S?: string
  readonly N?: string
  readonly M?: Attributes
}

type Attributes = Readonly<Record<string, Attribute>>

interface Transaction {
  readonly ClientRequestToken?: string
  readonly TransactItems?: readonly {
    readonly Put?: { readonly TableName?: string; readonly Item?: Attributes }
    readonly Delete?: { readonly TableName?: string; readonly Key?: Attributes }
  }[]
}

/**
 * Follows the items of a directory and the targets of their links as the service stores them. A new link has the name that its target has at
 * this instant: a rename that is over looks for links no more, so an older name would stay.
 */
export class LinkWatch {
  readonly #world: Pick<World, 'guard'>
  readonly #table: string
  /** The version of the name of each target. */
  readonly #targets = new Map<string, number>()
  /** The targets that each item is linked to. */
  readonly #links = new Map<string, ReadonlySet<string>>()
  readonly #tokens = new Set<string>()

  constructor(world: Pick<World, 'guard'>, table: string) {
    this.#world = world
    this.#table = table
  }

  /** Links are made in transactions alone. */
  readonly observe = ({ operation, input, output }: ExecutedRequest): void => {
    if (output === undefined || operation !== 'TransactWriteItems') return
    const { ClientRequestToken: token = '', TransactItems = [] } = input as Transaction
    // A transaction with the token of one that was carried out does nothing.
    if (this.#tokens.has(token)) return
    this.#tokens.add(token)
    const deleted = TransactItems.flatMap(({ Delete }) =>
      Delete?.TableName === this.#table && Delete.Key !== undefined ? [Delete.Key] : [],
    )
    const put = TransactItems.flatMap(({ Put }) =>
      Put?.TableName === this.#table && Put.Item !== undefined ? [Put.Item] : [],
    )
    for (const item of put) if (item.DataType?.S === 'target') this.#targets.set(idOf(item), versionOf(item))
    const items = put.filter(({ DataType }) => DataType?.S === 'item')
    try {
      for (const item of items) this.#check(item)
    } catch (error) {
      this.#world.guard(error)
    }
    const stays = new Set(items.map(idOf))
    for (const key of deleted)
      if (key.DataType?.S === 'item' && !stays.has(idOf(key))) this.#links.delete(idOf(key))
  }

  /** @throws Violation */
  #check(item: Attributes): void {
    const id = idOf(item)
    const [tenant] = id.split('#')
    const before = this.#links.get(id)
    const links = Object.entries(item.Links?.M ?? {}).flatMap(([kind, { M: targets = {} }]) =>
      Object.entries(targets).map(([target, { M: link = {} }]) => ({
        target: `${tenant}##${kind}#${target}`,
        name: link.name?.S,
        version: Number(link.version?.N),
      })),
    )
    this.#links.set(id, new Set(links.map(({ target }) => target)))
    for (const { target, name, version } of links) {
      const present = this.#targets.get(target)
      if (before?.has(target) === true || version === present) continue
      const seen = `${id} was linked to ${target} as ${name}, version ${version}, and its target has version ${present}`
      throw new Violation('a link has the name of its target', seen, [id])
    }
  }
}

/** Keys of the application, without the suffix of their shard. */
function idOf({ ID }: Attributes): string {
  return (ID?.S ?? '').replace(/_\d+$/, '')
}

function versionOf({ Version }: Attributes): number {
  return Number(Version?.N)
}
