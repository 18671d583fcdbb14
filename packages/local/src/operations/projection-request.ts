import type { Projection } from '@isotherm/semantics'
import { attributesProjection } from '../legacy/attributes-to-get.js'
import { boundProjection, type ExpressionInput, placeholdersOf } from './expressions.js'

/** The members of a request by which it projects the items it returns. */
export interface ProjectionInput extends ExpressionInput {
  readonly ProjectionExpression?: string
  readonly AttributesToGet?: readonly string[]
}

/** The projection of a request that has no other expression. @throws ServiceError or ValidationError */
export function onlyProjection(input: ProjectionInput): Projection | undefined {
  const { ProjectionExpression } = input
  const placeholders = placeholdersOf(input, { ProjectionExpression })
  const attributes = attributesProjection(input.AttributesToGet)
  const projection = boundProjection(ProjectionExpression, placeholders) ?? attributes
  placeholders.assertAllUsed()
  return projection
}
