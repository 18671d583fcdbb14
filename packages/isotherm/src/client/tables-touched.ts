import type { NamedTable, TablesByName } from '../sdk/tables-by-name.js'

type Input = Readonly<Record<string, unknown>>

/** Operations on the one table that they name. Others name tables together with their items. */
const OPERATIONS_OF_ONE_TABLE = new Set([
  'PutItem',
  'GetItem',
  'UpdateItem',
  'DeleteItem',
  'Query',
  'Scan',
  'SearchVectors',
])

const STATEMENT_OPERATIONS = new Set(['ExecuteStatement', 'BatchExecuteStatement', 'ExecuteTransaction'])

/**
 * The first of the tables whose items a command reads or writes.
 * @returns `undefined` for a command that touches none, such as every table management command
 */
export function tableTouched<Table extends NamedTable>(
  operation: string,
  input: object,
  tables: TablesByName<Table>,
): Table | undefined {
  if (OPERATIONS_OF_ONE_TABLE.has(operation)) return tables.of((input as Input).TableName)
  if (STATEMENT_OPERATIONS.has(operation)) {
    // Not as JSON, where a line break before a name would be a letter before it.
    const statements = statementsOf(input as Input).join('\n')
    return [...tables].find((table) => mentions(statements, table.options.name))
  }
  for (const name of tablesNamed(input as Input)) {
    const table = tables.of(name)
    if (table !== undefined) return table
  }
  return undefined
}

function tablesNamed({ RequestItems, TransactItems }: Input): readonly unknown[] {
  const actions: readonly unknown[] = Array.isArray(TransactItems) ? TransactItems : []
  return [
    ...Object.keys(Object(RequestItems)),
    ...actions
      .flatMap((action) => Object.values(Object(action)))
      .map((parameters) => (Object(parameters) as Input).TableName),
  ]
}

function statementsOf({ Statement, Statements, TransactStatements }: Input): readonly unknown[] {
  const members = [Statements, TransactStatements].flatMap((list) => (Array.isArray(list) ? list : []))
  return [Statement, ...members.map((member) => (Object(member) as Input).Statement)]
}

/**
 * Whether the PartiQL text contains the name as a whole word. Rejecting one statement too many is better than sending
 * one that is only half rewritten.
 */
function mentions(statements: string, name: string): boolean {
  const literal = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\w.-])${literal}(?![\\w-])`).test(statements)
}
