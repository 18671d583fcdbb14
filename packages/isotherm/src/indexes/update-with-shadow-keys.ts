import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import {
  type BoundUpdate,
  bindUpdate,
  createsItem,
  type Item,
  type KeyValue,
  type PathAst,
  Placeholders,
  parseUpdate,
  printUpdate,
  type UpdateAst,
} from '@isotherm/semantics'
import { refuseParameter } from '../errors/refuse.js'
import { type Expressions, freePlaceholder, mentions } from '../sdk/placeholders.js'
import type { IndexedTable, WrittenItem } from './indexed-table.js'
import type { ShadowKey } from './shadow-key.js'
import type { ShardChoice } from './shard-choice.js'

/** The update of one item, alone or in a transaction. */
interface Update extends Expressions {
  readonly Key?: Record<string, AttributeValue> | undefined
}

type BoundSetValue = BoundUpdate['set'][number]['value']
type SetAction = UpdateAst['set'][number]
type OwnValue = Extract<SetAction['value'], { readonly kind: 'value' | 'if_not_exists' }>

/** Stands for the value when the shard has a separate attribute, because the value does not matter then. */
const ANY_VALUE: AttributeValue = { NULL: true }
const NOTHING: UpdateAst = { set: [], remove: [], add: [], delete: [] }

/**
 * Adds to an update the changes that keep shadow keys correct. If it sets the attribute of an index to a value in the
 * request, the shadow key is set as well. If it removes the attribute, the shadow key is removed.
 *
 * `if_not_exists(status, :new)` becomes the same function on the shadow key, because an item has both or neither. When
 * the index has a fixed count and its shard in a separate attribute, the value does not matter, so nothing is rejected.
 *
 * @throws IsothermError `command.parameter-unsupported` when the request does not contain the new value;
 * ValidationError with the service's text
 */
export function updateWithShadowKeys<Given extends Update>(
  table: IndexedTable,
  update: Given,
  choice: ShardChoice,
): Given {
  const { UpdateExpression: text, ExpressionAttributeNames: names, Key } = update
  const place = table.placeOf(Key)
  const concerned = table.shadows.filter(
    ({ index: { partitionKey } }) =>
      table.keys.includes(partitionKey) || (text !== undefined && mentions(text, names, partitionKey)),
  )
  if (place === undefined || concerned.length === 0) return update
  const extended = new ExtendedUpdate(table, update, place, choice)
  for (const shadow of concerned) extended.add(shadow)
  return { ...update, ...extended.texts }
}

class ExtendedUpdate {
  readonly #table: IndexedTable
  readonly #update: Update
  readonly #item: WrittenItem
  readonly #given: UpdateAst
  readonly #bound: BoundUpdate
  readonly #names: Record<string, string>
  readonly #values: Record<string, AttributeValue>
  readonly #set: SetAction[] = []
  readonly #remove: PathAst[] = []

  constructor(table: IndexedTable, update: Update, place: readonly KeyValue[], choice: ShardChoice) {
    const {
      Key,
      UpdateExpression,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    } = update
    this.#table = table
    this.#update = update
    this.#item = { place, operation: 'update', attributes: { ...Key, ...values }, choice }
    this.#given = UpdateExpression === undefined ? NOTHING : parseUpdate(UpdateExpression)
    this.#bound = bindUpdate(this.#given, new Placeholders(names, values as Item | undefined))
    this.#names = { ...names }
    this.#values = { ...values }
  }

  /** Uses the existing clauses, because an expression may contain each clause once. */
  get texts(): Expressions {
    const { set, remove } = this.#given
    const text = printUpdate({
      ...this.#given,
      set: [...set, ...this.#set],
      remove: [...remove, ...this.#remove],
    })
    return {
      ...(text === '' ? {} : { UpdateExpression: text }),
      ...(Object.keys(this.#names).length === 0 ? {} : { ExpressionAttributeNames: this.#names }),
      ...(Object.keys(this.#values).length === 0 ? {} : { ExpressionAttributeValues: this.#values }),
    }
  }

  add(shadow: ShadowKey): void {
    const { partitionKey } = shadow.index
    const inKey = this.#table.keys.includes(partitionKey) ? this.#update.Key?.[partitionKey] : undefined
    if (inKey !== undefined) {
      // The update may create its item, so the shadow key is set. An update that only removes creates none, and must not do so for it.
      if (!createsItem(this.#bound)) return
      this.#set.push({ path: this.#pathOf(shadow), value: this.#valueOf(shadow, inKey) })
      return
    }
    const { set, remove, add } = this.#bound
    const isWhole = ({ path }: { readonly path: readonly unknown[] }) =>
      path.length === 1 && path[0] === partitionKey
    const setting = set.find(isWhole)
    if (setting !== undefined) {
      const path = this.#pathOf(shadow)
      this.#set.push({ path, value: this.#setValueOf(shadow, path, setting.value) })
    }
    // mark: index-key-goes-with-its-attribute
    if (remove.some((path) => isWhole({ path }))) this.#remove.push(this.#pathOf(shadow))
    // DELETE removes members of a set, which cannot be an index key.
    if (add.some(isWhole)) {
      if (shadow.dependsOnValue) throw this.#unknown(shadow)
      this.#set.push({ path: this.#pathOf(shadow), value: this.#valueOf(shadow, ANY_VALUE) })
    }
  }

  #setValueOf(shadow: ShadowKey, path: PathAst, value: BoundSetValue, isCertain = true): OwnValue {
    if (!shadow.dependsOnValue) return this.#valueOf(shadow, ANY_VALUE)
    if (value.kind === 'value') return this.#valueOf(shadow, value.value as AttributeValue, isCertain)
    const { partitionKey } = shadow.index
    const isOwn = value.kind === 'if_not_exists' && value.path.length === 1 && value.path[0] === partitionKey
    if (!isOwn) throw this.#unknown(shadow)
    // mark: index-key-stays-with-its-attribute
    return { kind: 'if_not_exists', path, fallback: this.#setValueOf(shadow, path, value.fallback, false) }
  }

  #valueOf(shadow: ShadowKey, value: AttributeValue, isCertain = true): OwnValue {
    const placeholder = freePlaceholder(':isotherm_shadow', this.#values)
    this.#values[placeholder] = this.#table.addedByWrite(shadow, value, this.#item, isCertain)
    return { kind: 'value', placeholder }
  }

  #pathOf({ index }: ShadowKey): PathAst {
    const placeholder = freePlaceholder('#isotherm_shadow', this.#names)
    this.#names[placeholder] = index.shard.attribute
    return { kind: 'path', steps: [{ placeholder }] }
  }

  #unknown({ index: { name, partitionKey } }: ShadowKey) {
    return refuseParameter(
      this.#table.options.name,
      'UpdateItem',
      `an UpdateExpression after which the value of ${partitionKey}, by which the index ${name} is sharded, is not known`,
      `Set it to a value, or to if_not_exists(${partitionKey}, :value), or give the index a shardAttribute and fixedShards(n).`,
    )
  }
}
