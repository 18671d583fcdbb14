import {
  applyUpdate,
  bindCondition,
  bindUpdate,
  createsItem,
  type Item,
  matches,
  Placeholders,
  parseCondition,
  parseUpdate,
} from '@isotherm/semantics'
import type { ItemOperation, ItemState } from '../invariants/item-history.js'
import type { KeyedTable } from './paths.js'
import type { Attributes } from './values.js'

type Input = Readonly<Record<string, unknown>>

/** What a request does to one item, by DynamoDB's rules, and how its answer tells so. */
export interface ItemEffect {
  readonly table: KeyedTable
  readonly key: Attributes
  readonly operation: ItemOperation
  /** The answer about this item, in the words of the operation; `undefined` where the service left it out. */
  answer(output: Input): string | undefined
}

export const REFUSED = 'refused'
const DONE = 'done'

/** The effects of a request on single items; none for a request that cannot be followed, such as a read of an old replica. */
export function effectsOf(
  who: string,
  operation: string,
  input: Input,
  tables: ReadonlyMap<string, KeyedTable>,
): readonly ItemEffect[] {
  const table = (name: unknown) => tables.get(String(name))
  switch (operation) {
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return effect(who, table(input.TableName), ACTIONS[operation], input, writtenAnswer)
    case 'GetItem':
      if (input.ConsistentRead !== true || input.ProjectionExpression !== undefined) return []
      return reading(
        who,
        table(input.TableName),
        input.Key as Attributes,
        ({ Item }) => Item as Attributes | undefined,
      )
    case 'TransactWriteItems':
      return (input.TransactItems as readonly Readonly<Record<string, Input>>[]).flatMap((member) =>
        Object.entries(member).flatMap(([action, own]) =>
          effect(who, table(own.TableName), action, own, () => DONE),
        ),
      )
    case 'TransactGetItems':
      return (input.TransactItems as readonly { readonly Get: Input }[]).flatMap(({ Get }, index) =>
        reading(
          who,
          table(Get.TableName),
          Get.Key as Attributes,
          ({ Responses }) =>
            (Responses as readonly { readonly Item?: Attributes }[] | undefined)?.[index]?.Item,
        ),
      )
    case 'BatchWriteItem':
      return batchWrites(who, input, table)
    case 'BatchGetItem':
      return batchReads(who, input, table)
    default:
      return []
  }
}

const ACTIONS: Readonly<Record<string, string>> = {
  PutItem: 'Put',
  UpdateItem: 'Update',
  DeleteItem: 'Delete',
}

/** An item's attributes besides its keys, as one text that is the same for the same item. */
export function stateOf({ partitionKey, sortKey }: KeyedTable, item: Attributes | undefined): ItemState {
  if (item === undefined) return ''
  const rest = Object.entries(item).filter(([name]) => name !== partitionKey && name !== sortKey)
  return JSON.stringify(Object.fromEntries(rest.sort(([a], [b]) => (a < b ? -1 : 1))))
}

export function readOperation(who: string): ItemOperation {
  return {
    text: `${who} reads`,
    apply: (state) => ({ state, answer: `is ${state}` }),
    leaves: (answer) => answer.slice('is '.length),
  }
}

function reading(
  who: string,
  table: KeyedTable | undefined,
  key: Attributes,
  itemIn: (output: Input) => Attributes | undefined,
): readonly ItemEffect[] {
  if (table === undefined) return []
  return [
    { table, key, operation: readOperation(who), answer: (output) => `is ${stateOf(table, itemIn(output))}` },
  ]
}

/** @param action as in a transaction */
function effect(
  who: string,
  table: KeyedTable | undefined,
  action: string | undefined,
  input: Input,
  answer: (table: KeyedTable, input: Input, output: Input) => string | undefined,
): readonly ItemEffect[] {
  if (table === undefined || action === undefined) return []
  const item = (input.Item ?? input.Key) as Attributes
  const key = Object.fromEntries(
    Object.entries(item).filter(([name]) => name === table.partitionKey || name === table.sortKey),
  )
  const returned = String(input.ReturnValues ?? 'NONE')
  const operation: ItemOperation = {
    text: `${who} ${action === 'ConditionCheck' ? 'checks' : `${action.toLowerCase()}s`}${described(table, action, input)}`,
    apply: (state) => {
      const before = state === '' ? undefined : { ...key, ...(JSON.parse(state) as Attributes) }
      if (!holds(input, before)) return { state, answer: REFUSED }
      const after = stateOf(table, afterwards(action, input, before, key))
      if (returned === 'ALL_OLD') return { state: after, answer: `was ${state}` }
      return { state: after, answer: returned === 'ALL_NEW' ? `is ${after}` : DONE }
    },
    ...leaving(table, action, input),
  }
  return [{ table, key, operation, answer: (output) => answer(table, input, output) }]
}

/** Where the item is known afterwards whatever it was. */
function leaving(table: KeyedTable, action: string, input: Input): Pick<ItemOperation, 'leaves'> {
  if (input.ConditionExpression !== undefined) return {}
  if (action === 'Put') return { leaves: () => stateOf(table, input.Item as Attributes) }
  if (action === 'Delete') return { leaves: () => '' }
  return input.ReturnValues === 'ALL_NEW' ? { leaves: (answer) => answer.slice('is '.length) } : {}
}

function holds(input: Input, item: Attributes | undefined): boolean {
  const { ConditionExpression: text } = input
  if (text === undefined) return true
  const ast = parseCondition('ConditionExpression', String(text))
  return matches(bindCondition('ConditionExpression', ast, placeholdersOf(input)), item as Item | undefined)
}

function afterwards(
  action: string,
  input: Input,
  before: Attributes | undefined,
  key: Attributes,
): Attributes | undefined {
  if (action === 'Put') return input.Item as Attributes
  if (action === 'Delete') return undefined
  const { UpdateExpression: text } = input
  if (action === 'ConditionCheck') return before
  if (text === undefined) return before ?? key
  const update = bindUpdate(parseUpdate(String(text)), placeholdersOf(input))
  if (before === undefined && !createsItem(update)) return undefined
  return applyUpdate(update, (before ?? key) as Item, { isNew: before === undefined }) as Attributes
}

function placeholdersOf(input: Input): Placeholders {
  return new Placeholders(
    input.ExpressionAttributeNames as Record<string, string> | undefined,
    input.ExpressionAttributeValues as Item | undefined,
  )
}

function writtenAnswer(table: KeyedTable, { ReturnValues }: Input, output: Input): string {
  if (ReturnValues !== 'ALL_OLD' && ReturnValues !== 'ALL_NEW') return DONE
  const word = ReturnValues === 'ALL_OLD' ? 'was' : 'is'
  return `${word} ${stateOf(table, output.Attributes as Attributes | undefined)}`
}

function batchWrites(
  who: string,
  { RequestItems }: Input,
  table: (name: unknown) => KeyedTable | undefined,
): readonly ItemEffect[] {
  const members = Object.entries(RequestItems as Record<string, readonly Readonly<Record<string, Input>>[]>)
  return members.flatMap(([name, requests]) =>
    requests.flatMap((request) => {
      const { PutRequest, DeleteRequest } = request
      const action = PutRequest === undefined ? 'Delete' : 'Put'
      const isLeftOut = ({ UnprocessedItems }: Input) =>
        ((UnprocessedItems ?? {}) as Record<string, readonly object[]>)[name]?.some(
          (left) => JSON.stringify(left) === JSON.stringify(request),
        ) === true
      return effect(who, table(name), action, PutRequest ?? DeleteRequest ?? {}, (_table, _own, output) =>
        isLeftOut(output) ? undefined : DONE,
      )
    }),
  )
}

function batchReads(
  who: string,
  { RequestItems }: Input,
  table: (name: unknown) => KeyedTable | undefined,
): readonly ItemEffect[] {
  type Asked = {
    readonly Keys: readonly Attributes[]
    readonly ConsistentRead?: boolean
    readonly ProjectionExpression?: string
  }
  return Object.entries(RequestItems as Record<string, Asked>).flatMap(([name, asked]) => {
    if (asked.ConsistentRead !== true || asked.ProjectionExpression !== undefined) return []
    return asked.Keys.flatMap((key) => {
      const isOwn = (item: Attributes) =>
        Object.entries(key).every(
          ([attribute, value]) => JSON.stringify(item[attribute]) === JSON.stringify(value),
        )
      return reading(who, table(name), key, ({ Responses }) =>
        ((Responses ?? {}) as Record<string, readonly Attributes[]>)[name]?.find(isOwn),
      ).map((effect) => ({
        ...effect,
        answer: (output: Input) => {
          const left = ((output.UnprocessedKeys ?? {}) as Record<string, Asked>)[name]?.Keys ?? []
          return left.some(isOwn) ? undefined : effect.answer(output)
        },
      }))
    })
  })
}

function described(table: KeyedTable, action: string, input: Input): string {
  return action === 'Put' ? ` ${stateOf(table, input.Item as Attributes)}` : ''
}
