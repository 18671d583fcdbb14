import { Placeholders } from './expressions.js'
import type { KeyedTable, KeyedTables, Path } from './paths.js'
import { keyOf, pathOf } from './paths.js'
import { splitAt, type Token, TokenReader } from './tokens.js'
import { type Attributes, valueIn } from './values.js'

/** A table of a script, with its indexes. */
export interface QueriedTable extends KeyedTable {
  readonly indexes: readonly {
    readonly name: string
    readonly partitionKey: string
    readonly sortKey: string | undefined
  }[]
}

export type QueriedTables = ReadonlyMap<string, QueriedTable>

/** One command of the SDK. */
export interface Command {
  /** As in the API, such as `PutItem`. */
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
  /** Whether a query reads on to its last page. */
  readonly pages: boolean
  /** Whether it begins where the last query of its process ended. */
  readonly next: boolean
}

type Input = Record<string, unknown>
type Read = (
  reader: TokenReader,
  tables: QueriedTables,
) => Partial<Command> & { readonly operation: string; readonly input: Input }

const RETURNED: Readonly<Record<string, string>> = { old: 'ALL_OLD', new: 'ALL_NEW' }

const READERS: Readonly<Record<string, Read>> = {
  put: (reader, tables) => ({ operation: 'PutItem', input: put(reader, tables) }),
  get: (reader, tables) => ({ operation: 'GetItem', input: get(reader, tables) }),
  update: (reader, tables) => ({ operation: 'UpdateItem', input: update(reader, tables) }),
  delete: (reader, tables) => ({ operation: 'DeleteItem', input: remove(reader, tables) }),
  query,
  batch,
  transact,
  send,
}

/** The first words of commands. */
export const COMMAND_WORDS: readonly string[] = Object.keys(READERS)

/** @throws Error where the words are no command */
export function commandOf(word: string, tokens: readonly Token[], tables: QueriedTables): Command {
  const read = READERS[word]
  if (read === undefined) throw new Error(`there is no command ${word}`)
  const reader = new TokenReader(tokens)
  const command = read(reader, tables)
  reader.requireEnd()
  return { pages: false, next: false, ...command }
}

function put(reader: TokenReader, tables: KeyedTables): Input {
  const path = pathIn(reader, tables)
  const Item = { ...keyOf(path), ...attributesIn(reader.until(['if', 'returning', 'token'])) }
  return { TableName: path.table.name, Item, ...conditionAndRest(reader, new Placeholders()) }
}

function get(reader: TokenReader, tables: KeyedTables): Input {
  const path = pathIn(reader, tables)
  return {
    TableName: path.table.name,
    Key: keyOf(path),
    ...(reader.takes('consistent') ? { ConsistentRead: true } : {}),
  }
}

function update(reader: TokenReader, tables: KeyedTables): Input {
  const path = pathIn(reader, tables)
  const placeholders = new Placeholders()
  const expression = placeholders.expression(reader.until(['if', 'returning']))
  return {
    TableName: path.table.name,
    Key: keyOf(path),
    ...(expression === '' ? {} : { UpdateExpression: expression }),
    ...conditionAndRest(reader, placeholders),
  }
}

function remove(reader: TokenReader, tables: KeyedTables): Input {
  const path = pathIn(reader, tables)
  return { TableName: path.table.name, Key: keyOf(path), ...conditionAndRest(reader, new Placeholders()) }
}

function query(reader: TokenReader, tables: QueriedTables): ReturnType<Read> {
  const { table, partition } = pathIn(reader, tables)
  const placeholders = new Placeholders()
  const input: Input = { TableName: table.name }
  let index: QueriedTable['indexes'][number] | undefined
  let [from, to]: (Token | undefined)[] = []
  const flags = { pages: false, next: false }
  while (!reader.isAtEnd) {
    const { text } = reader.take('an option')
    if (text === 'from') from = reader.take('a sort key')
    else if (text === 'to') to = reader.take('a sort key')
    else if (text === 'backward') input.ScanIndexForward = false
    else if (text === 'consistent') input.ConsistentRead = true
    else if (text === 'limit') input.Limit = Number(reader.take('a number').text)
    else if (text === 'pages') flags.pages = true
    else if (text === 'next') flags.next = true
    else if (text === 'after') input.ExclusiveStartKey = startKey(reader.take('a key'), tables)
    else if (text === 'index')
      index = indexIn(table as QueriedTable, reader.take('the name of an index').text)
    else throw new Error(`a query has no option ${text}`)
  }
  if (index !== undefined) input.IndexName = index.name
  const sortKey = index === undefined ? table.sortKey : index.sortKey
  const sortValue = (token: Token) =>
    placeholders.value(
      index === undefined && table.sortType === 'S' ? { S: textOf(token) } : { N: token.text },
    )
  const conditions = [
    `${placeholders.name(index?.partitionKey ?? table.partitionKey)} = ${placeholders.value({ S: partition })}`,
  ]
  if (from !== undefined || to !== undefined) {
    const name = placeholders.name(sortKey ?? '')
    if (from === undefined && to !== undefined) conditions.push(`${name} <= ${sortValue(to)}`)
    else if (from !== undefined && to === undefined) conditions.push(`${name} >= ${sortValue(from)}`)
    else if (from !== undefined && to !== undefined)
      conditions.push(`${name} BETWEEN ${sortValue(from)} AND ${sortValue(to)}`)
  }
  input.KeyConditionExpression = conditions.join(' AND ')
  return { operation: 'Query', input: { ...input, ...placeholders.members }, ...flags }
}

function batch(reader: TokenReader, tables: QueriedTables): ReturnType<Read> {
  if (reader.takes('get')) {
    const asked = reader.until(['consistent'])
    const ConsistentRead = reader.takes('consistent')
    const RequestItems: Record<string, { Keys: Attributes[]; ConsistentRead?: boolean }> = {}
    for (const member of membersOf(asked, tables)) {
      const { name } = member.path.table
      RequestItems[name] ??= { Keys: [], ...(ConsistentRead ? { ConsistentRead } : {}) }
      RequestItems[name].Keys.push(keyOf(member.path))
      member.reader.requireEnd()
    }
    return { operation: 'BatchGetItem', input: { RequestItems } }
  }
  if (!reader.takes('write')) throw new Error('a batch is "batch get ..." or "batch write ..."')
  const RequestItems: Record<string, object[]> = {}
  for (const { word, tokens } of actionsOf(reader)) {
    const { operation, input } = commandOf(word, tokens, tables)
    const name = String(input.TableName)
    RequestItems[name] ??= []
    if (operation === 'PutItem') RequestItems[name].push({ PutRequest: { Item: input.Item } })
    else if (operation === 'DeleteItem') RequestItems[name].push({ DeleteRequest: { Key: input.Key } })
    else throw new Error('a batch writes by "put" and "delete"')
  }
  return { operation: 'BatchWriteItem', input: { RequestItems } }
}

const ACTIONS: Readonly<Record<string, string>> = {
  PutItem: 'Put',
  UpdateItem: 'Update',
  DeleteItem: 'Delete',
}

function transact(reader: TokenReader, tables: QueriedTables): ReturnType<Read> {
  if (reader.takes('get')) {
    const members = membersOf(reader.until([]), tables)
    const TransactItems = members.map(({ path, reader }) => {
      reader.requireEnd()
      return { Get: { TableName: path.table.name, Key: keyOf(path) } }
    })
    return { operation: 'TransactGetItems', input: { TransactItems } }
  }
  if (!reader.takes('write')) throw new Error('a transaction is "transact get ..." or "transact write ..."')
  const token = reader.takes('token') ? { ClientRequestToken: reader.take('a token').text } : {}
  const TransactItems = actionsOf(reader).map(({ word, tokens }) => {
    if (word === 'check') return { ConditionCheck: remove(new TokenReader(tokens), tables) }
    const { operation, input } = commandOf(word, tokens, tables)
    const action = ACTIONS[operation]
    if (action === undefined) throw new Error('a transaction writes by "put", "update", "delete" and "check"')
    return { [action]: input }
  })
  return { operation: 'TransactWriteItems', input: { ...token, TransactItems } }
}

/** Any command, with its input as the API has it. */
function send(reader: TokenReader): ReturnType<Read> {
  const operation = reader.take('an operation').text
  return { operation, input: JSON.parse(reader.take('its input').text) as Input }
}

function membersOf(tokens: readonly Token[], tables: KeyedTables) {
  return splitAt(tokens, ';').map((member) => {
    const reader = new TokenReader(member)
    return { path: pathIn(reader, tables), reader }
  })
}

function actionsOf(
  reader: TokenReader,
): readonly { readonly word: string; readonly tokens: readonly Token[] }[] {
  return splitAt(reader.until([]), ';').map(([word, ...tokens]) => ({ word: word?.text ?? '', tokens }))
}

function pathIn(reader: TokenReader, tables: KeyedTables): Path {
  return pathOf(reader.take('a key').text, tables)
}

/** `colour=red n=2` */
function attributesIn(tokens: readonly Token[]): Attributes {
  const reader = new TokenReader(tokens)
  const attributes: Attributes = {}
  while (!reader.isAtEnd) {
    const { kind, text } = reader.take('an attribute')
    if (!reader.takes('=')) throw new Error(`${text} needs a value: write ${text}=1`)
    attributes[kind === 'name' ? text.slice(1, -1) : text] = valueIn(reader.take(`the value of ${text}`))
  }
  return attributes
}

function conditionAndRest(reader: TokenReader, placeholders: Placeholders): Input {
  const condition = reader.takes('if') ? placeholders.expression(reader.until(['returning'])) : undefined
  const returned = reader.takes('returning') ? reader.take('old or new').text : undefined
  return {
    ...(condition === undefined ? {} : { ConditionExpression: condition }),
    ...(returned === undefined ? {} : { ReturnValues: RETURNED[returned] ?? returned }),
    ...placeholders.members,
  }
}

function startKey(token: Token, tables: KeyedTables): Attributes {
  return token.kind === 'json' ? (JSON.parse(token.text) as Attributes) : keyOf(pathOf(token.text, tables))
}

function indexIn({ name, indexes }: QueriedTable, wanted: string) {
  const index = indexes.find((each) => each.name === wanted)
  if (index === undefined) throw new Error(`the table ${name} has no index ${wanted}`)
  return index
}

function textOf({ kind, text }: Token): string {
  return kind === 'quoted' ? (JSON.parse(text) as string) : text
}
