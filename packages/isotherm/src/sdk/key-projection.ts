import { Placeholders, parseProjection, printProjection } from '@isotherm/semantics'
import { freePlaceholder, PARTITION_NAME, SORT_NAME } from './placeholders.js'
import { inServiceWords } from './validation-exception.js'

/** The two parameters that select the attributes a request returns. */
export interface WantedAttributes {
  readonly ProjectionExpression?: string | undefined
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined
}

/** A projection that includes the key attributes, and the attributes to remove from the items again. */
export interface KeyedProjection {
  readonly request: { ProjectionExpression?: string; ExpressionAttributeNames?: Record<string, string> }
  readonly hides: readonly string[]
}

const PLACEHOLDERS = [PARTITION_NAME, SORT_NAME, '#isotherm_moving']

/**
 * Adds the key attributes to a projection, because items must be identified by their keys in a response. `hides` lists
 * the attributes that the caller did not request.
 *
 * @param keys the names of the key attributes, beginning with the partition key's, followed by other required
 * attributes
 * @throws a `ValidationException` with the service's text
 */
export function withKeys(wanted: WantedAttributes, keys: readonly string[]): KeyedProjection {
  const { ProjectionExpression, ExpressionAttributeNames } = wanted
  const names =
    ExpressionAttributeNames === undefined
      ? {}
      : { ExpressionAttributeNames: { ...ExpressionAttributeNames } }
  if (ProjectionExpression === undefined) return { request: names, hides: [] }
  const paths = readPaths(ProjectionExpression, ExpressionAttributeNames)
  const hides = keys.filter((key) => !paths.some(({ steps }) => steps.length === 1 && steps[0] === key))
  // A path into a key finds nothing, because keys are scalars, and would overlap with the key itself.
  const kept = paths.filter(({ steps }) => !hides.includes(String(steps[0]))).map(({ path }) => path)
  const added = keys.flatMap((key, index) =>
    hides.includes(key)
      ? [[freePlaceholder(PLACEHOLDERS[index] ?? key, ExpressionAttributeNames), key] as const]
      : [],
  )
  const texts = [
    ...(kept.length === 0 ? [] : [printProjection(kept)]),
    ...added.map(([placeholder]) => placeholder),
  ]
  const all = { ...names.ExpressionAttributeNames, ...Object.fromEntries(added) }
  return {
    request: {
      ProjectionExpression: texts.join(', '),
      ...(Object.keys(all).length === 0 ? {} : { ExpressionAttributeNames: all }),
    },
    hides,
  }
}

function readPaths(text: string, names: WantedAttributes['ExpressionAttributeNames']) {
  return inServiceWords(() => {
    const placeholders = new Placeholders(names)
    return parseProjection(text).map((path) => ({
      path,
      steps: placeholders.path('ProjectionExpression', path),
    }))
  })
}
