import { checkShape } from './check-shape.js'
import { fitsShape } from './fits-shape.js'
import type { StructureShape } from './shape.js'
import { withoutNulls } from './without-nulls.js'

/**
 * What reads requests of a shape: each as it is when it fits, without its nulls when it then fits, or else refused.
 * @throws ServiceError as `checkShape` does
 */
export function inputReader(shape: StructureShape): (input: unknown) => object {
  const fits = fitsShape(shape)
  return (input) => {
    if (fits(input)) return input as object
    const shaped = withoutNulls(shape, input)
    checkShape(shape, shaped)
    return shaped
  }
}
