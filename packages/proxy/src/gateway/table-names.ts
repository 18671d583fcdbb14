import { isJsonObject } from '@isotherm/local/service'

const ESCAPE = Buffer.from('\\u')

/**
 * Finds out quickly that a request does not concern the configured tables: its body does not contain any of their names.
 * Most requests for other tables are then forwarded without being parsed.
 *
 * The names may be anywhere in the body, so a `true` is only a reason to look closer.
 */
export function mentioning(names: readonly string[]): (body: Buffer) => boolean {
  const wanted = names.map((name) => Buffer.from(name))
  // An escape may spell any letter of a name.
  return (body) => wanted.some((name) => body.includes(name)) || body.includes(ESCAPE)
}

/**
 * Whether a request for items may concern the configured tables. Statements name tables within their text, so the library
 * decides about them.
 */
export function concerning(names: readonly string[]): (input: unknown) => boolean {
  const known = new Set(names)
  return (input) => {
    if (!isJsonObject(input)) return false
    const { Statement, Statements, TransactStatements } = input
    if ([Statement, Statements, TransactStatements].some((each) => each !== undefined)) return true
    return namesIn(input).some((name) => known.has(tableNameOf(name)))
  }
}

function namesIn({ TableName, RequestItems, TransactItems }: Record<string, unknown>): readonly unknown[] {
  const actions: readonly unknown[] = Array.isArray(TransactItems) ? TransactItems : []
  return [
    TableName,
    ...(isJsonObject(RequestItems) ? Object.keys(RequestItems) : []),
    ...actions
      .flatMap((action) => (isJsonObject(action) ? Object.values(action) : []))
      .map((parameters) => (isJsonObject(parameters) ? parameters.TableName : undefined)),
  ]
}

/** A request may name a table by its ARN, too. */
export function tableNameOf(nameOrArn: unknown): string {
  if (typeof nameOrArn !== 'string') return ''
  return /^arn:.*:table\/([^/]+)/.exec(nameOrArn)?.[1] ?? nameOrArn
}
