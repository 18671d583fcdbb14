import { parseStatement, type StatementAst } from '@isotherm/semantics'
import { parseTableArn } from '../table/table-arn.js'

/** A request, or a part of one, as parsed JSON. */
export type JsonObject = { readonly [member: string]: unknown }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Reads a member that should be an object. Otherwise returns an empty object, which the engine rejects as it did when
 * the trace was recorded.
 */
export function objectIn(holder: JsonObject, member: string): JsonObject {
  const value = holder[member]
  return isObject(value) ? value : {}
}

export function listIn(holder: JsonObject, member: string): readonly JsonObject[] {
  const value = holder[member]
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The table name in a name or an ARN. */
export function tableName(nameOrArn: unknown): string {
  const text = String(nameOrArn)
  return parseTableArn(text)?.name ?? text
}

/** Stands for the table of a request that names none. */
const NO_TABLE = '(no table)'

/** How many items, or pages of items, a request asks for in each table. */
export function membersOf(operation: string, request: JsonObject): ReadonlyMap<string, number> {
  const members = new Map<string, number>()
  const add = (name: unknown, count = 1) => {
    // A request without a table name was rejected when it was recorded, and will be again.
    const table = typeof name === 'string' ? tableName(name) : NO_TABLE
    members.set(table, (members.get(table) ?? 0) + count)
  }
  switch (operation) {
    case 'GetItem':
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
    case 'Query':
    case 'Scan':
      add(request.TableName)
      break
    case 'BatchWriteItem':
    case 'BatchGetItem':
      for (const [name, asked] of Object.entries(objectIn(request, 'RequestItems'))) {
        const list = operation === 'BatchGetItem' && isObject(asked) ? asked.Keys : asked
        add(name, Array.isArray(list) ? list.length : 1)
      }
      break
    case 'TransactWriteItems':
    case 'TransactGetItems':
      for (const action of listIn(request, 'TransactItems')) {
        for (const each of Object.values(action)) if (isObject(each)) add(each.TableName)
      }
      break
    case 'ExecuteStatement':
      add(tableOfStatement(request.Statement))
      break
    case 'BatchExecuteStatement':
      for (const { Statement } of listIn(request, 'Statements')) add(tableOfStatement(Statement))
      break
    case 'ExecuteTransaction':
      for (const { Statement } of listIn(request, 'TransactStatements')) add(tableOfStatement(Statement))
      break
  }
  return members
}

function tableOfStatement(text: unknown): string {
  try {
    return tableIn(parseStatement(String(text)).statement)
  } catch {
    return NO_TABLE
  }
}

function tableIn(statement: StatementAst): string {
  return statement.kind === 'exists' ? statement.select.table : statement.table
}
