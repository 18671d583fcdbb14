import { attributeType } from '../attribute-type.js'
import type { AttributeType, AttributeValue } from '../attribute-value.js'
import { operandTypeText, sameOperandText } from '../texts/operators.js'
import { comparePaths, type DocumentPath, describePath, type PathAst } from './document-path.js'
import { invalid } from './lexer.js'
import { assertPathsApart } from './path-conflicts.js'
import type { Placeholders } from './placeholders.js'
import type { SetValueAst, UpdateAst } from './update-ast.js'

/** The right-hand side of a SET, with its placeholders resolved. */
export type BoundSetValue =
  | { readonly kind: 'path'; readonly path: DocumentPath }
  | { readonly kind: 'value'; readonly value: AttributeValue }
  | { readonly kind: 'plus' | 'minus'; readonly left: BoundSetValue; readonly right: BoundSetValue }
  | { readonly kind: 'if_not_exists'; readonly path: DocumentPath; readonly fallback: BoundSetValue }
  | { readonly kind: 'list_append'; readonly first: BoundSetValue; readonly second: BoundSetValue }

/** An update with its placeholders resolved; none of its paths overlap. */
export interface BoundUpdate {
  readonly set: readonly { readonly path: DocumentPath; readonly value: BoundSetValue }[]
  readonly remove: readonly DocumentPath[]
  /** Numbers and sets. Also lists from AttributeUpdates, which append them; an expression cannot. */
  readonly add: readonly { readonly path: DocumentPath; readonly value: AttributeValue }[]
  readonly delete: readonly { readonly path: DocumentPath; readonly value: AttributeValue }[]
  /** Every path on the left side of the update, in the order of the sections. */
  readonly touched: readonly DocumentPath[]
}

const PARAMETER = 'UpdateExpression'
const ADDABLE: ReadonlySet<AttributeType> = new Set<AttributeType>(['N', 'SS', 'NS', 'BS'])
const DELETABLE: ReadonlySet<AttributeType> = new Set<AttributeType>(['SS', 'NS', 'BS'])
const TYPE_NAMES: Record<AttributeType, string> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  BOOL: 'BOOLEAN',
  NULL: 'NULL',
  L: 'LIST',
  M: 'MAP',
  SS: 'STRING_SET',
  NS: 'NUMBER_SET',
  BS: 'BINARY_SET',
}

/**
 * Resolves an update's placeholders and checks everything that can be checked without an item. The caller, which knows
 * the key, checks that no key attribute is changed.
 *
 * @throws ValidationError with the service's text: two paths overlap or conflict, a placeholder is not defined, a value
 * has a type that the clause, operator or function never takes.
 * @example
 * const ast = parseUpdate('SET #s = :new ADD visits :one')
 * bindUpdate(ast, new Placeholders({ '#s': 'status' }, { ':new': { S: 'new' }, ':one': { N: '1' } }))
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html
 */
export function bindUpdate(update: UpdateAst, placeholders: Placeholders): BoundUpdate {
  const pathOf = (ast: PathAst) => placeholders.path(PARAMETER, ast)
  const paths = {
    set: update.set.map(({ path }) => pathOf(path)),
    remove: update.remove.map(pathOf),
    add: update.add.map(({ path }) => pathOf(path)),
    delete: update.delete.map(({ path }) => pathOf(path)),
  }
  const touched = [...paths.set, ...paths.remove, ...paths.add, ...paths.delete]
  assertPathsApart(PARAMETER, touched)
  const operandOf = (keyword: 'ADD' | 'DELETE', allowed: ReadonlySet<AttributeType>, placeholder: string) => {
    const value = placeholders.value(PARAMETER, placeholder)
    assertOperand(keyword, value, allowed)
    return value
  }
  return {
    set: pair(paths.set, update.set, ({ value }) => bindValue(value, placeholders)),
    remove: paths.remove,
    add: pair(paths.add, update.add, ({ placeholder }) => operandOf('ADD', ADDABLE, placeholder)),
    delete: pair(paths.delete, update.delete, ({ placeholder }) =>
      operandOf('DELETE', DELETABLE, placeholder),
    ),
    touched,
  }
}

function pair<Action, Value>(
  paths: readonly DocumentPath[],
  actions: readonly Action[],
  bind: (action: Action) => Value,
): { readonly path: DocumentPath; readonly value: Value }[] {
  const pairs: { readonly path: DocumentPath; readonly value: Value }[] = []
  for (const [position, path] of paths.entries()) {
    const action = actions[position]
    if (action !== undefined) pairs.push({ path, value: bind(action) })
  }
  return pairs
}

function bindValue(ast: SetValueAst, placeholders: Placeholders): BoundSetValue {
  switch (ast.kind) {
    case 'path':
      return { kind: 'path', path: placeholders.path(PARAMETER, ast) }
    case 'value':
      return { kind: 'value', value: placeholders.value(PARAMETER, ast.placeholder) }
    case 'plus':
    case 'minus': {
      const operator = ast.kind === 'plus' ? '+' : '-'
      const left = requireType(operator, bindValue(ast.left, placeholders), 'N')
      return { kind: ast.kind, left, right: requireType(operator, bindValue(ast.right, placeholders), 'N') }
    }
    case 'if_not_exists': {
      const path = placeholders.path(PARAMETER, ast.path)
      const fallback = bindValue(ast.fallback, placeholders)
      assertDistinct(path, fallback)
      return { kind: ast.kind, path, fallback }
    }
    case 'list_append': {
      const first = requireType(ast.kind, bindValue(ast.first, placeholders), 'L')
      return {
        kind: ast.kind,
        first,
        second: requireType(ast.kind, bindValue(ast.second, placeholders), 'L'),
      }
    }
  }
}

function assertDistinct(path: DocumentPath, fallback: BoundSetValue): void {
  if (fallback.kind !== 'path' || comparePaths(path, fallback.path) !== 0) return
  throw invalid(PARAMETER, sameOperandText('if_not_exists', describePath(path)))
}

function requireType(operator: string, operand: BoundSetValue, type: AttributeType): BoundSetValue {
  if (operand.kind !== 'value' || attributeType(operand.value) === type) return operand
  throw invalid(PARAMETER, operandTypeText(operator, attributeType(operand.value)))
}

function assertOperand(keyword: string, value: AttributeValue, allowed: ReadonlySet<AttributeType>): void {
  const type = attributeType(value)
  if (allowed.has(type)) return
  throw invalid(
    PARAMETER,
    `Incorrect operand type for operator or function; operator: ${keyword}, operand type: ${TYPE_NAMES[type]}, typeSet: ALLOWED_FOR_${keyword}_OPERAND`,
  )
}
