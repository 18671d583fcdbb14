type Input = Readonly<Record<string, unknown>>

/** Where the commands that read or write items name their tables. */
const FINDERS: Readonly<Record<string, (input: Input) => readonly unknown[]>> = {
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

/** Tables of one kind, by name. */
interface KnownTables<Table> extends Iterable<Table> {
  of(nameOrArn: unknown): Table | undefined
}

/**
 * The first one of the tables that a command reads or writes items of.
 * @param nameOf a table's name
 * @returns `undefined` for a command that touches none, such as every command about tables and not about items
 */
export function tableTouched<Table>(
  operation: string,
  input: object,
  tables: KnownTables<Table>,
  nameOf: (table: Table) => string,
): Table | undefined {
  if (STATEMENT_OPERATIONS.has(operation)) {
    const statements = JSON.stringify(statementsOf(input as Input))
    return [...tables].find((table) => mentions(statements, nameOf(table)))
  }
  for (const name of FINDERS[operation]?.(input as Input) ?? []) {
    const table = tables.of(name)
    if (table !== undefined) return table
  }
  return undefined
}

function tableMember({ TableName }: Input): readonly unknown[] {
  return [TableName]
}

function requestTables({ RequestItems }: Input): readonly unknown[] {
  return Object.keys(Object(RequestItems))
}

function transactionTables({ TransactItems }: Input): readonly unknown[] {
  const members: readonly unknown[] = Array.isArray(TransactItems) ? TransactItems : []
  return members
    .flatMap((member) => Object.values(Object(member)))
    .map((part) => (Object(part) as Input).TableName)
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
