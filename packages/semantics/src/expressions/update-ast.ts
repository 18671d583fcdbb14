import { type PathAst, printPath } from './document-path.js'

/** An operand of a sum or of a function. */
export type SetOperandAst =
  | PathAst
  | { readonly kind: 'value'; readonly placeholder: string }
  | { readonly kind: 'if_not_exists'; readonly path: PathAst; readonly fallback: SetOperandAst }
  | { readonly kind: 'list_append'; readonly first: SetOperandAst; readonly second: SetOperandAst }

/**
 * A sum or difference. The operands of an update expression's are not sums themselves; those of a PartiQL statement can
 * be.
 */
export interface SumAst {
  readonly kind: 'plus' | 'minus'
  readonly left: SetValueAst
  readonly right: SetValueAst
}

/** The right-hand side of `SET path =`. */
export type SetValueAst = SetOperandAst | SumAst

/** An update as written: placeholders are not resolved, so it can be cached by its text. */
export interface UpdateAst {
  readonly set: readonly { readonly path: PathAst; readonly value: SetValueAst }[]
  readonly remove: readonly PathAst[]
  readonly add: readonly { readonly path: PathAst; readonly placeholder: string }[]
  readonly delete: readonly { readonly path: PathAst; readonly placeholder: string }[]
}

/** The update as text that parses to the same update. */
export function printUpdate(update: UpdateAst): string {
  const clause = (keyword: string, actions: readonly string[]) =>
    actions.length === 0 ? [] : [`${keyword} ${actions.join(', ')}`]
  const withValue = ({ path, placeholder }: UpdateAst['add'][number]) => `${printPath(path)} ${placeholder}`
  return [
    ...clause(
      'SET',
      update.set.map(({ path, value }) => `${printPath(path)} = ${printSetValue(value)}`),
    ),
    ...clause('REMOVE', update.remove.map(printPath)),
    ...clause('ADD', update.add.map(withValue)),
    ...clause('DELETE', update.delete.map(withValue)),
  ].join(' ')
}

function printSetValue(value: SetValueAst): string {
  switch (value.kind) {
    case 'path':
      return printPath(value)
    case 'value':
      return value.placeholder
    case 'plus':
    case 'minus':
      return `${printSetValue(value.left)} ${value.kind === 'plus' ? '+' : '-'} ${printSetValue(value.right)}`
    case 'if_not_exists':
      return `if_not_exists(${printPath(value.path)}, ${printSetValue(value.fallback)})`
    case 'list_append':
      return `list_append(${printSetValue(value.first)}, ${printSetValue(value.second)})`
  }
}
