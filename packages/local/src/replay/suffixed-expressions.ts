import { isObject, type JsonObject, objectIn } from './members-of.js'

/** A partition key value with the suffix of one of its shards. */
export function suffixed(value: string, shard: number): string {
  return `${value}#${shard}`
}

/**
 * Changes a Query of a partition key to a query of one of its shards. Returns `undefined` when its condition is not
 * understood.
 */
export function suffixedCondition(
  request: JsonObject,
  attribute: string,
  shard: number,
): JsonObject | undefined {
  const started = startedInShard(request, attribute, shard)
  if (request.KeyConditionExpression === undefined) return legacyCondition(started, attribute, shard)
  return withNewValue(started, 'KeyConditionExpression', attribute, shard)
}

/** Adds a suffix to an attribute that an UpdateItem sets. Returns `undefined` when the expression is not understood. */
export function suffixedUpdate(
  request: JsonObject,
  attribute: string,
  shard: number,
): JsonObject | undefined {
  const { UpdateExpression: expression } = request
  if (expression === undefined) {
    const updates = objectIn(request, 'AttributeUpdates')
    const value = objectIn(objectIn(updates, attribute), 'Value').S
    if (updates[attribute] === undefined) return request
    if (typeof value !== 'string') return undefined
    const update = { ...objectIn(updates, attribute), Value: { S: suffixed(value, shard) } }
    return { ...request, AttributeUpdates: { ...updates, [attribute]: update } }
  }
  if (!names(String(expression)).some((name) => resolved(request, name) === attribute)) return request
  return withNewValue(request, 'UpdateExpression', attribute, shard)
}

/** Matches `name = :value`, unless something is added to the value. */
const EQUATION = /(#?[A-Za-z_][\w]*)\s*=\s*(:\w+)(?!\w|\s*[-+])/g

/** The value's placeholder may be used elsewhere with the original value, so the new value gets its own placeholder. */
const PLACEHOLDER = ':isothermSuffixed'

function withNewValue(
  request: JsonObject,
  member: string,
  attribute: string,
  shard: number,
): JsonObject | undefined {
  const expression = String(request[member])
  const equation = [...expression.matchAll(EQUATION)].find(
    ([, name = '']) => resolved(request, name) === attribute,
  )
  const old = equation?.[2]
  if (equation === undefined || old === undefined) return undefined
  const values = objectIn(request, 'ExpressionAttributeValues')
  const value = objectIn(values, old).S
  if (typeof value !== 'string') return undefined
  const [text] = equation
  const changed =
    expression.slice(0, equation.index) +
    text.replace(old, PLACEHOLDER) +
    expression.slice(equation.index + text.length)
  const result = { ...request, [member]: changed }
  const { [old]: _, ...others } = values
  const kept = isUsed(result, old) ? values : others
  return { ...result, ExpressionAttributeValues: { ...kept, [PLACEHOLDER]: { S: suffixed(value, shard) } } }
}

/** A value that no expression uses any more would be rejected. */
function isUsed(request: JsonObject, placeholder: string): boolean {
  const expressions = Object.entries(request).filter(([member]) => member.endsWith('Expression'))
  return expressions.some(([, text]) =>
    [...String(text).matchAll(/:\w+/g)].some(([name]) => name === placeholder),
  )
}

function legacyCondition(request: JsonObject, attribute: string, shard: number): JsonObject | undefined {
  const conditions = objectIn(request, 'KeyConditions')
  const condition = objectIn(conditions, attribute)
  const [value] = Array.isArray(condition.AttributeValueList) ? condition.AttributeValueList : []
  if (condition.ComparisonOperator !== 'EQ' || !isObject(value) || typeof value.S !== 'string')
    return undefined
  const changed = { ...condition, AttributeValueList: [{ S: suffixed(value.S, shard) }] }
  return { ...request, KeyConditions: { ...conditions, [attribute]: changed } }
}

function startedInShard(request: JsonObject, attribute: string, shard: number): JsonObject {
  const start = objectIn(request, 'ExclusiveStartKey')
  const value = objectIn(start, attribute).S
  if (typeof value !== 'string') return request
  return { ...request, ExclusiveStartKey: { ...start, [attribute]: { S: suffixed(value, shard) } } }
}

function names(expression: string): readonly string[] {
  return expression.match(/#?[A-Za-z_]\w*/g) ?? []
}

function resolved(request: JsonObject, name: string): string {
  return name.startsWith('#') ? String(objectIn(request, 'ExpressionAttributeNames')[name]) : name
}
