import { checkShape } from './check-shape.js'
import { fitsShape } from './fits-shape.js'
import type { StructureShape } from './shape.js'
import { checkMemberCounts } from './too-many-members.js'
import { withoutNulls } from './without-nulls.js'

/**
 * Returns a function that reads requests of a shape. It returns a valid request unchanged, and otherwise a copy without
 * nulls if that is valid.
 * @throws ServiceError as `checkShape` does
 */
export function inputReader(shape: StructureShape): (input: unknown) => object {
  const fits = fitsShape(shape)
  return (input) => {
    if (fits(input)) return input as object
    checkMemberCounts(shape, input)
    const shaped = withoutNulls(shape, input)
    checkShape(shape, shaped)
    return shaped
  }
}
