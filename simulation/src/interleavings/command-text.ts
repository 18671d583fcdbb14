import type { QueriedTables } from './commands.js'
import { expressionText } from './expressions.js'
import { pathOfItem, pathText } from './paths.js'
import { type Attributes, valueText } from './values.js'

type Input = Readonly<Record<string, unknown>>

/** Members of a request that a script has words for; one with others is written as it is. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  PutItem: ['Item', 'ConditionExpression', 'ReturnValues'],
  GetItem: ['Key', 'ConsistentRead'],
  UpdateItem: ['Key', 'UpdateExpression', 'ConditionExpression', 'ReturnValues'],
  DeleteItem: ['Key', 'ConditionExpression', 'ReturnValues'],
  Query: [
    'KeyConditionExpression',
    'IndexName',
    'ConsistentRead',
    'ScanIndexForward',
    'Limit',
    'ExclusiveStartKey',
  ],
}
const OF_ALL = ['TableName', 'ExpressionAttributeNames', 'ExpressionAttributeValues']

const RETURNED: Readonly<Record<string, string>> = { ALL_OLD: 'old', ALL_NEW: 'new' }

const KEY_CONDITION = /^(\S+) = ("(?:[^"\\]|\\.)*")(?: AND \S+ BETWEEN (\S+) AND (\S+))?$/

/** A command in the words of a script: `commandOf` reads it. */
export function commandText(operation: string, input: Input, tables: QueriedTables): string {
  return wordsOf(operation, input, tables) ?? `send ${operation} ${JSON.stringify(input)}`
}

function wordsOf(operation: string, input: Input, tables: QueriedTables): string | undefined {
  switch (operation) {
    case 'BatchGetItem':
      return batchGet(input, tables)
    case 'BatchWriteItem':
      return batchWrite(input, tables)
    case 'TransactGetItems':
      return transactGet(input, tables)
    case 'TransactWriteItems':
      return transactWrite(input, tables)
    default:
      return isKnown(operation, input) ? single(operation, input, tables) : undefined
  }
}

function isKnown(operation: string, input: Input): boolean {
  const known = [...OF_ALL, ...(KNOWN[operation] ?? [])]
  const isTabled = KNOWN[operation] !== undefined
  return (
    isTabled && Object.entries(input).every(([name, value]) => value === undefined || known.includes(name))
  )
}

function single(operation: string, input: Input, tables: QueriedTables): string | undefined {
  const table = tables.get(String(input.TableName))
  if (table === undefined) return undefined
  if (operation === 'Query') return queryWords(input, tables)
  const item = (input.Item ?? input.Key) as Attributes
  const path = pathText(pathOfItem(table, item), tables)
  const { ReturnValues: returned } = input
  const rest = [
    ...(input.ConditionExpression === undefined ? [] : ['if', expression(input.ConditionExpression, input)]),
    ...(returned === undefined ? [] : ['returning', RETURNED[String(returned)] ?? String(returned)]),
  ]
  switch (operation) {
    case 'PutItem': {
      const own = Object.entries(item).filter(
        ([name]) => name !== table.partitionKey && name !== table.sortKey,
      )
      return [
        'put',
        path,
        ...own.map(([name, value]) => `${nameText(name)}=${valueText(value)}`),
        ...rest,
      ].join(' ')
    }
    case 'GetItem':
      return ['get', path, ...(input.ConsistentRead === true ? ['consistent'] : [])].join(' ')
    case 'UpdateItem': {
      const update = input.UpdateExpression === undefined ? [] : [expression(input.UpdateExpression, input)]
      return ['update', path, ...update, ...rest].join(' ')
    }
    default:
      return ['delete', path, ...rest].join(' ')
  }
}

function queryWords(input: Input, tables: QueriedTables): string | undefined {
  const table = tables.get(String(input.TableName))
  const found = KEY_CONDITION.exec(expression(input.KeyConditionExpression, input))
  if (table === undefined || found === null) return undefined
  const [, , partition = '""', from, to] = found
  const start = input.ExclusiveStartKey as Attributes | undefined
  const startText =
    input.IndexName === undefined && start !== undefined
      ? pathText(pathOfItem(table, start), tables)
      : JSON.stringify(start)
  return [
    'query',
    pathText({ table, partition: JSON.parse(partition) as string, sort: undefined }, tables),
    ...(input.IndexName === undefined ? [] : [`index ${input.IndexName}`]),
    ...(from === undefined || to === undefined ? [] : [`from ${from} to ${to}`]),
    ...(input.ScanIndexForward === false ? ['backward'] : []),
    ...(input.ConsistentRead === true ? ['consistent'] : []),
    ...(input.Limit === undefined ? [] : [`limit ${input.Limit}`]),
    ...(start === undefined ? [] : [`after ${startText}`]),
  ].join(' ')
}

type Asked = { readonly Keys: readonly Attributes[]; readonly ConsistentRead?: boolean } & Input

function batchGet({ RequestItems, ...rest }: Input, tables: QueriedTables): string | undefined {
  const asked = Object.entries(RequestItems as Record<string, Asked>)
  const hasOthers = asked.some(([, { Keys: _keys, ConsistentRead: _consistent, ...others }]) =>
    hasMembers(others),
  )
  if (hasMembers(rest) || hasOthers) return undefined
  const consistent = asked.map(([, { ConsistentRead = false }]) => ConsistentRead)
  if (new Set(consistent).size > 1) return undefined
  const paths = asked.flatMap(([name, { Keys }]) => Keys.map((key) => itemPath(name, key, tables)))
  if (paths.some((path) => path === undefined)) return undefined
  return `batch get ${paths.join('; ')}${consistent[0] === true ? ' consistent' : ''}`
}

function batchWrite({ RequestItems, ...rest }: Input, tables: QueriedTables): string | undefined {
  if (hasMembers(rest)) return undefined
  const members = Object.entries(RequestItems as Record<string, readonly Readonly<Record<string, Input>>[]>)
  const texts = members.flatMap(([TableName, requests]) =>
    requests.map(({ PutRequest, DeleteRequest }) =>
      PutRequest === undefined
        ? single('DeleteItem', { TableName, ...DeleteRequest }, tables)
        : single('PutItem', { TableName, ...PutRequest }, tables),
    ),
  )
  return texts.some((text) => text === undefined) ? undefined : `batch write ${texts.join('; ')}`
}

type Members = readonly Readonly<Record<string, Input>>[]

function transactGet({ TransactItems, ...rest }: Input, tables: QueriedTables): string | undefined {
  const gets = (TransactItems as Members).map(({ Get = {} }) => Get)
  if (hasMembers(rest) || gets.some((get) => !isKnown('GetItem', get))) return undefined
  const paths = gets.map(({ TableName, Key }) => itemPath(String(TableName), Key as Attributes, tables))
  return paths.some((path) => path === undefined) ? undefined : `transact get ${paths.join('; ')}`
}

const ACTIONS: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
}

function transactWrite(
  { TransactItems, ClientRequestToken: token, ...rest }: Input,
  tables: QueriedTables,
): string | undefined {
  if (hasMembers(rest)) return undefined
  const texts = (TransactItems as Members).map((member) => {
    const [[action, own] = ['', {}]] = Object.entries(member)
    const operation = action === 'ConditionCheck' ? 'DeleteItem' : (ACTIONS[action] ?? '')
    const text = isKnown(operation, own) ? single(operation, own, tables) : undefined
    return action === 'ConditionCheck' ? text?.replace(/^delete/, 'check') : text
  })
  if (texts.some((text) => text === undefined)) return undefined
  return `transact write ${token === undefined ? '' : `token ${String(token)} `}${texts.join('; ')}`
}

function itemPath(name: string, key: Attributes, tables: QueriedTables): string | undefined {
  const table = tables.get(name)
  return table === undefined ? undefined : pathText(pathOfItem(table, key), tables)
}

function expression(text: unknown, input: Input): string {
  return expressionText(String(text), {
    ExpressionAttributeNames: (input.ExpressionAttributeNames ?? {}) as Record<string, string>,
    ExpressionAttributeValues: (input.ExpressionAttributeValues ?? {}) as Attributes,
  })
}

function nameText(name: string): string {
  return /^[A-Za-z_][\w#]*$/.test(name) ? name : `\`${name}\``
}

function hasMembers(input: Input): boolean {
  return Object.values(input).some((value) => value !== undefined)
}
