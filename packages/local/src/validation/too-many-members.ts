import { validationException } from '../errors/service-error.js'
import { isJsonObject } from '../json/json-kind.js'
import type { StructureShape } from './shape.js'

/**
 * Checks that no map of a request has more members than its shape allows at most. This is checked apart, because every
 * other check would list the members again, and listing 100,000 takes many milliseconds.
 * @throws ServiceError
 */
export function checkMemberCounts({ members }: StructureShape, input: unknown): void {
  if (!isJsonObject(input)) return
  for (const name in members) {
    const shape = members[name]
    const map = input[name]
    if (shape?.type !== 'map' || shape.most === undefined || !isJsonObject(map)) continue
    const count = Object.keys(map).length
    if (count > shape.most.members) throw validationException(shape.most.refusal(name, count, map))
  }
}
