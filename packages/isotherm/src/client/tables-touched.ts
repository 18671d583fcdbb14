import { tableNameOf } from './table-name.js'

type Input = Readonly<Record<string, unknown>>

/** How to find the tables that a command reads or writes, for the commands that read or write items. */
const FINDERS: Readonly<Record<string, (input: Input) => readonly (string | undefined)[]>> = {
  PutItem: tableMember,
  GetItem: tableMember,
  UpdateItem: tableMember,
  DeleteItem: tableMember,
  Query: tableMember,
  Scan: tableMember,
  SearchVectors: tableMember,
  BatchGetItem: requestTables,
  BatchWriteItem: requestTables,
  TransactGetItems: transactionTables,
  TransactWriteItems: transactionTables,
}

const STATEMENT_OPERATIONS = new Set(['ExecuteStatement', 'BatchExecuteStatement', 'ExecuteTransaction'])

/**
 * The first sharded table that a command reads or writes items of.
 * @returns `undefined` for a command that touches none, such as every command about tables and not about items
 */
export function shardedTableTouched(
  operation: string,
  input: Input,
  isSharded: (table: string) => boolean,
  names: Iterable<string>,
): string | undefined {
  if (STATEMENT_OPERATIONS.has(operation)) {
    const statements = JSON.stringify(statementsOf(input))
    for (const name of names) if (mentions(statements, name)) return name
    return undefined
  }
  return FINDERS[operation]?.(input).find((table): table is string => table !== undefined && isSharded(table))
}

function tableMember({ TableName }: Input): readonly (string | undefined)[] {
  return [tableNameOf(TableName)]
}

function requestTables({ RequestItems }: Input): readonly (string | undefined)[] {
  return Object.keys(Object(RequestItems)).map(tableNameOf)
}

function transactionTables({ TransactItems }: Input): readonly (string | undefined)[] {
  const members: readonly unknown[] = Array.isArray(TransactItems) ? TransactItems : []
  return members
    .flatMap((member) => Object.values(Object(member)))
    .map((part) => tableNameOf((Object(part) as Input).TableName))
}

function statementsOf({ Statement, Statements, TransactStatements }: Input): readonly unknown[] {
  const members = [Statements, TransactStatements].flatMap((list) => (Array.isArray(list) ? list : []))
  return [Statement, ...members.map((member) => (Object(member) as Input).Statement)]
}

/** Whether the PartiQL text has the name as a whole word; one too many refused is better than one sent half-right. */
function mentions(statements: string, name: string): boolean {
  const literal = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\w.-])${literal}(?![\\w-])`).test(statements)
}
